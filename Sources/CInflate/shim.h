#pragma once

// The decompressor of `HoldfastFeeds`: https://github.com/intel/isa-l
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
