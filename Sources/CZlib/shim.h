#pragma once

// The decompressor of `HoldfastFiles`, a library of every system: https://zlib.net/manual.html
#include <zlib.h>

// A macro with a cast, which Swift does not import.
static inline int holdfast_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
