#pragma once

// Nothing to call: linking this target is what shows a waiting `Mutex` to Thread Sanitizer.
