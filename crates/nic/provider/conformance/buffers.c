/* Buffers between guards, and the bytes that messages carry: they tell seed, sender, message and offset. */
#include "node.h"

const size_t SIZES[] = { 0,    1,    8,	   63,	  64,	 65,	191,   192,   193,   255,     256,
			 257,  2047, 2048, 2049, 4095,	 4096,	4097,  16383, 16384, 16385,   65536,
			 (1 << 20) + 1, 4 << 20 };
const int SIZES_COUNT = sizeof SIZES / sizeof SIZES[0];

/* The byte of a guard. */
enum { GUARD_BYTE = 0x5c };

struct buffer buffer_new(size_t size)
{
	/* Whole pages, so that a region of it can be registered anywhere. */
	uint8_t *start = aligned_alloc(4096, (size + 2 * GUARD + 4095) / 4096 * 4096);
	struct buffer buffer = { start + GUARD, size };

	CHECK(start != NULL);
	buffer_clear(&buffer);
	return buffer;
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->bytes - GUARD);
	buffer->bytes = NULL;
}

void buffer_clear(struct buffer *buffer)
{
	memset(buffer->bytes - GUARD, GUARD_BYTE, GUARD);
	memset(buffer->bytes, UNTOUCHED, buffer->size);
	memset(buffer->bytes + buffer->size, GUARD_BYTE, GUARD);
}

static uint64_t word_at(int sender, uint64_t number, size_t word)
{
	return mix(me.seed ^ ((uint64_t)sender << 56) ^ (number << 28) ^ word);
}

void pattern(void *bytes, size_t len, int sender, uint64_t number, size_t offset)
{
	uint8_t *out = bytes;

	for (size_t at = 0; at < len;) {
		size_t place = offset + at, inside = place % 8;
		uint64_t word = word_at(sender, number, place / 8);
		size_t count = 8 - inside < len - at ? 8 - inside : len - at;

		memcpy(out + at, (const uint8_t *)&word + inside, count);
		at += count;
	}
}

size_t pattern_differs(const void *bytes, size_t len, int sender, uint64_t number, size_t offset)
{
	const uint8_t *in = bytes;

	for (size_t at = 0; at < len;) {
		size_t place = offset + at, inside = place % 8;
		uint64_t word = word_at(sender, number, place / 8);
		size_t count = 8 - inside < len - at ? 8 - inside : len - at;

		if (memcmp(in + at, (const uint8_t *)&word + inside, count) != 0) {
			while (in[at] == ((const uint8_t *)&word)[(offset + at) % 8])
				at++;
			return at;
		}
		at += count;
	}
	return len;
}

static void all_are(const uint8_t *bytes, size_t len, uint8_t expected, const char *what, const char *file, int line)
{
	for (size_t at = 0; at < len; at++)
		if (bytes[at] != expected)
			fail(file, line, "%s: byte %zu of %zu was overwritten: expected 0x%02x, found 0x%02x", what, at, len, expected, bytes[at]);
}

void buffer_holds_at(const struct buffer *buffer, size_t start, size_t len, int sender, uint64_t number, const char *file, int line)
{
	size_t at;

	all_are(buffer->bytes - GUARD, GUARD, GUARD_BYTE, "the guard before the buffer", file, line);
	all_are(buffer->bytes + buffer->size, GUARD, GUARD_BYTE, "the guard after the buffer", file, line);
	all_are(buffer->bytes, start, UNTOUCHED, "the buffer before the message", file, line);
	at = pattern_differs(buffer->bytes + start, len, sender, number, 0);
	if (at < len)
		fail(file, line, "message %llu of rank %d, %zu bytes: byte %zu is wrong: found 0x%02x%s", (unsigned long long)number, sender,
		     len, at, buffer->bytes[start + at], buffer->bytes[start + at] == UNTOUCHED ? " (untouched)" : "");
	all_are(buffer->bytes + start + len, buffer->size - start - len, UNTOUCHED, "the buffer after the message", file, line);
}

void buffer_holds(const struct buffer *buffer, size_t len, int sender, uint64_t number, const char *file, int line)
{
	buffer_holds_at(buffer, 0, len, sender, number, file, line);
}

void buffer_is_untouched(const struct buffer *buffer, const char *file, int line)
{
	buffer_holds_at(buffer, 0, 0, 0, 0, file, line);
}

bool has_landed(const void *bytes, size_t len, int sender, uint64_t number, size_t offset)
{
	uint8_t some[4096];

	for (size_t at = 0; at < len; at += sizeof some) {
		size_t count = len - at < sizeof some ? len - at : sizeof some;

		watched_bytes(some, (const uint8_t *)bytes + at, count);
		if (pattern_differs(some, count, sender, number, offset + at) != count)
			return false;
	}
	return true;
}
