#include "floor.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#define HAS_ISAL 1
#else
#define HAS_ISAL 0
#endif

// The layout of an archive: APPNOTE.TXT, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

enum {
  buffer_size = 1 << 18,
  members_at_most = 32,
  name_size = 64,
  local_size = 30,
  central_size = 46,
  end_size = 22,
  comment_at_most = 65535,
};

static void put16(unsigned char *at, uint32_t value) {
  at[0] = value & 0xFF;
  at[1] = value >> 8 & 0xFF;
}

static void put32(unsigned char *at, uint32_t value) {
  put16(at, value);
  put16(at + 2, value >> 16);
}

static uint32_t get16(const unsigned char *at) { return at[0] | (uint32_t)at[1] << 8; }

static uint32_t get32(const unsigned char *at) { return get16(at) | get16(at + 2) << 16; }

// MARK: - Writing

typedef struct {
  char name[name_size];
  uint32_t crc;
  uint64_t deflated;
  uint64_t size;
  uint64_t offset;
} written_member;

struct floor_archive {
  FILE *file;
  z_stream stream;
  bool is_sound;
  int count;
  written_member members[members_at_most];
  unsigned char buffer[buffer_size];
};

// The fields that a local header and the directory have in common, from "version needed" on.
static void put_fields(unsigned char *at, const written_member *member) {
  put16(at, 20);
  put16(at + 2, 0);
  put16(at + 4, 8);
  put16(at + 6, 0);
  // 1 November 2026, for an archive that is the same each time.
  put16(at + 8, (2026 - 1980) << 9 | 11 << 5 | 1);
  put32(at + 10, member->crc);
  put32(at + 14, (uint32_t)member->deflated);
  put32(at + 18, (uint32_t)member->size);
  put16(at + 22, (uint32_t)strlen(member->name));
  put16(at + 24, 0);
}

static void write_header(floor_archive *archive, const written_member *member) {
  unsigned char header[local_size] = {'P', 'K', 3, 4};
  put_fields(header + 4, member);
  archive->is_sound = archive->is_sound && fwrite(header, local_size, 1, archive->file) == 1 &&
                      fwrite(member->name, strlen(member->name), 1, archive->file) == 1;
}

floor_archive *floor_archive_make(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) return NULL;
  floor_archive *archive = calloc(1, sizeof *archive);
  archive->file = file;
  archive->is_sound = true;
  return archive;
}

void floor_archive_begin(floor_archive *archive, const char *name) {
  if (archive->count == members_at_most || strlen(name) >= name_size) {
    archive->is_sound = false;
    return;
  }
  written_member *member = &archive->members[archive->count++];
  strcpy(member->name, name);
  member->offset = (uint64_t)ftello(archive->file);
  member->crc = (uint32_t)crc32(0, NULL, 0);
  // The header is written again when the sizes are known.
  write_header(archive, member);
  memset(&archive->stream, 0, sizeof archive->stream);
  if (deflateInit2(&archive->stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    archive->is_sound = false;
  }
}

static void deflate_part(
    floor_archive *archive, const unsigned char *bytes, int64_t count, int flush) {
  if (!archive->is_sound) return;
  written_member *member = &archive->members[archive->count - 1];
  z_stream *stream = &archive->stream;
  stream->next_in = (unsigned char *)bytes;
  stream->avail_in = (uInt)count;
  do {
    stream->next_out = archive->buffer;
    stream->avail_out = buffer_size;
    int code = deflate(stream, flush);
    size_t made = buffer_size - stream->avail_out;
    member->deflated += made;
    archive->is_sound = (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) &&
                        (made == 0 || fwrite(archive->buffer, made, 1, archive->file) == 1);
  } while (archive->is_sound && stream->avail_out == 0);
}

void floor_archive_write(floor_archive *archive, const unsigned char *bytes, int64_t count) {
  if (!archive->is_sound || count == 0) return;
  written_member *member = &archive->members[archive->count - 1];
  member->crc = (uint32_t)crc32(member->crc, bytes, (uInt)count);
  member->size += (uint64_t)count;
  deflate_part(archive, bytes, count, Z_NO_FLUSH);
}

void floor_archive_end(floor_archive *archive) {
  deflate_part(archive, NULL, 0, Z_FINISH);
  deflateEnd(&archive->stream);
  if (!archive->is_sound) return;
  written_member *member = &archive->members[archive->count - 1];
  // Without the fields of 64 bits, which no feed of these sizes needs.
  if (member->size > UINT32_MAX || member->offset > UINT32_MAX ||
      fseeko(archive->file, (off_t)member->offset, SEEK_SET) != 0) {
    archive->is_sound = false;
    return;
  }
  write_header(archive, member);
  archive->is_sound = archive->is_sound && fseeko(archive->file, 0, SEEK_END) == 0;
}

bool floor_archive_close(floor_archive *archive) {
  uint64_t start = (uint64_t)ftello(archive->file);
  uint32_t size = 0;
  for (int index = 0; index < archive->count && archive->is_sound; index++) {
    const written_member *member = &archive->members[index];
    unsigned char entry[central_size] = {'P', 'K', 1, 2, 20, 0};
    put_fields(entry + 6, member);
    put32(entry + 42, (uint32_t)member->offset);
    archive->is_sound = fwrite(entry, central_size, 1, archive->file) == 1 &&
                        fwrite(member->name, strlen(member->name), 1, archive->file) == 1;
    size += central_size + (uint32_t)strlen(member->name);
  }
  unsigned char end[end_size] = {'P', 'K', 5, 6};
  put16(end + 8, (uint32_t)archive->count);
  put16(end + 10, (uint32_t)archive->count);
  put32(end + 12, size);
  put32(end + 16, (uint32_t)start);
  bool is_done = archive->is_sound && start <= UINT32_MAX &&
                 fwrite(end, end_size, 1, archive->file) == 1;
  is_done = fclose(archive->file) == 0 && is_done;
  free(archive);
  return is_done;
}

// MARK: - Inflating

typedef bool (*inflater)(const unsigned char *bytes, size_t count, uint64_t size, unsigned char *buffer);

static bool inflate_by_zlib(
    const unsigned char *bytes, size_t count, uint64_t size, unsigned char *buffer) {
  z_stream stream = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)count};
  if (inflateInit2(&stream, -15) != Z_OK) return false;
  int code;
  do {
    stream.next_out = buffer;
    stream.avail_out = buffer_size;
    code = inflate(&stream, Z_NO_FLUSH);
  } while (code == Z_OK);
  bool is_whole = code == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  return is_whole;
}

#if HAS_ISAL
// Not linked, so that the benchmarks also run where it is absent.
static void (*isal_init)(struct inflate_state *);
static int (*isal_step)(struct inflate_state *);

static bool inflate_by_isal(
    const unsigned char *bytes, size_t count, uint64_t size, unsigned char *buffer) {
  static struct inflate_state state;
  isal_init(&state);
  state.crc_flag = ISAL_DEFLATE;
  state.next_in = (unsigned char *)bytes;
  state.avail_in = (uint32_t)count;
  uint64_t total = 0;
  while (state.block_state != ISAL_BLOCK_FINISH) {
    state.next_out = buffer;
    state.avail_out = buffer_size;
    if (isal_step(&state) < ISAL_DECOMP_OK) return false;
    if (state.avail_out == buffer_size && state.block_state != ISAL_BLOCK_FINISH) return false;
    total += buffer_size - state.avail_out;
  }
  return total == size;
}
#endif

bool floor_has_isal(void) {
#if HAS_ISAL
  if (isal_step) return true;
  void *library = dlopen("libisal.so.2", RTLD_NOW);
  if (!library) library = dlopen("libisal.2.dylib", RTLD_NOW);
  if (!library) return false;
  *(void **)&isal_init = dlsym(library, "isal_inflate_init");
  *(void **)&isal_step = dlsym(library, "isal_inflate");
  return isal_init && isal_step;
#else
  return false;
#endif
}

// The sum of the sizes of all members; -1 when one is not what the directory says.
static int64_t inflate_members(const unsigned char *bytes, size_t count, inflater inflate_member) {
  if (count < end_size) return -1;
  size_t end = count - end_size;
  size_t first = end > comment_at_most ? end - comment_at_most : 0;
  while (memcmp(bytes + end, "PK\5\6", 4) != 0) {
    if (end-- == first) return -1;
  }
  uint32_t members = get16(bytes + end + 10);
  size_t at = get32(bytes + end + 16);
  int64_t total = 0;
  unsigned char *buffer = malloc(buffer_size);
  for (uint32_t index = 0; index < members && total >= 0; index++) {
    bool is_sound = at + central_size <= count && memcmp(bytes + at, "PK\1\2", 4) == 0;
    size_t local = is_sound ? get32(bytes + at + 42) : 0;
    is_sound = is_sound && local + local_size <= count && get16(bytes + at + 10) == 8;
    if (is_sound) {
      size_t deflated = get32(bytes + at + 20);
      size_t data = local + local_size + get16(bytes + local + 26) + get16(bytes + local + 28);
      uint32_t size = get32(bytes + at + 24);
      is_sound = data + deflated <= count && inflate_member(bytes + data, deflated, size, buffer);
      total += size;
      at += central_size + get16(bytes + at + 28) + get16(bytes + at + 30) + get16(bytes + at + 32);
    }
    if (!is_sound) total = -1;
  }
  free(buffer);
  return total;
}

int64_t floor_inflate(const char *path, bool with_isal) {
  inflater inflate_member = inflate_by_zlib;
#if HAS_ISAL
  if (with_isal) inflate_member = inflate_by_isal;
#endif
  if (with_isal && !floor_has_isal()) return -1;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return -1;
  size_t count = (size_t)status.st_size;
  void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (bytes == MAP_FAILED) return -1;
  int64_t total = inflate_members(bytes, count, inflate_member);
  munmap(bytes, count);
  return total;
}
