#pragma once

// No functions: linking this target makes a waiting `Mutex` visible to Thread Sanitizer.
