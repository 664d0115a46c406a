#pragma once

// The archive reader of `HoldfastFeeds`: https://libzip.org/documentation/
#include <zip.h>
