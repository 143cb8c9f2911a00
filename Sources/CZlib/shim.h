#pragma once
#include <zlib.h>

/// inflateInit2 and deflateInit2 are macros, which Swift does not see. The window bits choose the format: 15 for zlib,
/// 31 for gzip, -15 for neither header nor trailer.
static inline int headgate_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

static inline int headgate_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
