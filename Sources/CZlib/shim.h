#pragma once

// The decompressor and compressor of `HoldfastFiles`, a library of every system: https://zlib.net/manual.html
#include <zlib.h>

// A macro with a cast, which Swift does not import.
static inline int holdfast_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

// As above: gzip, with a header that names no file and no time, so that equal content has equal bytes.
static inline int holdfast_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
