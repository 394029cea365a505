/* SPDX-License-Identifier: ISC */
/* Reads a TRF file from standard input and writes it to standard output. */
#include <stdio.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/pairing/trf.h"

int
main(void)
{
	struct errinfo e = {.text = ""};
	struct buf in, out;
	struct trf *t;
	char chunk[4096];
	size_t n;
	int r;

	buf_init(&in, 0);
	buf_init(&out, 0);
	while ((n = fread(chunk, 1, sizeof(chunk), stdin)) > 0)
		buf_add(&in, chunk, n);
	r = trf_read(buf_str(&in), in.len, &t, &e);
	if (r == 0) {
		trf_write(t, &out);
		trf_free(t);
		r = buf_error(&out);
	}
	if (r != 0)
		(void)fprintf(stderr, "retrf: %s: %s\n", e.where, e.text);
	else if (fwrite(buf_str(&out), 1, out.len, stdout) != out.len)
		r = ERR_IO;
	buf_clear(&in);
	buf_clear(&out);
	return (r == 0 ? 0 : 1);
}
