/* SPDX-License-Identifier: ISC */
/* Exported records, read and verified without a profile or a server. */
#include "client/replica/recordfile.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/copy.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"

#define PAPER_MAX ((size_t)1 << 30) /* bytes of a record */

bool
paper_is_file(const char *word)
{
	struct stat st;

	return (strcmp(word, "-") == 0 || strchr(word, '/') != NULL ||
	    (stat(word, &st) == 0 && !S_ISDIR(st.st_mode)));
}

const char *
paper_name(const char *word)
{
	return (strcmp(word, "-") == 0 ? "standard input" : word);
}

int
paper_read(const char *word, struct buf *bytes)
{
	struct errinfo e = {.text = ""};
	int r;

	r = file_read(word, PAPER_MAX, bytes, &e);
	if (r != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	return (0);
}

/* Says that nothing of a record can be told. */
static int
paper_refuse(const struct paper *pa)
{
	char *s;

	if ((s = paper_doubt(pa)) != NULL)
		out_error("%s: %s", pa->name, s);
	else
		out_error("%s holds no game", pa->name);
	free(s);
	return (
	    pa->report.is_unchecked && !pa->is_bad ? CMD_UNCHECKED : PAPER_BAD);
}

int
paper_open(const char *word, struct paper **out)
{
	struct verify_options opt;
	struct paper *pa;
	struct verify *v;
	struct buf bytes;
	int r, status;

	pa = xalloc(sizeof(*pa));
	pa->name = out_safe(paper_name(word));
	memset(&opt, 0, sizeof(opt));
	opt.head_seq = -1;
	buf_init(&bytes, 0);
	if ((status = paper_read(word, &bytes)) != 0)
		goto out;
	out_progress("verifying");
	r = verify_held(
	    buf_str(&bytes), bytes.len, &opt, &pa->report, &v, &pa->why);
	pa->is_bad = r == ERR_BAD;
	if (r == 0 || r == ERR_BAD)
		r = copy_of(buf_str(&bytes), bytes.len, pa->report.lines, v,
		    &pa->copy, &pa->why);
	out_progress_end();
	if (r != 0)
		status = cmd_fail(r, &pa->why);
	else if (copy_game(pa->copy) == NULL)
		status = paper_refuse(pa);
out:
	buf_clear(&bytes);
	if (status != 0)
		paper_close(pa);
	else
		*out = pa;
	return (status);
}

void
paper_close(struct paper *pa)
{
	if (pa == NULL)
		return;
	copy_close(pa->copy);
	free(pa->name);
	free(pa);
}

int
paper_status(const struct paper *pa)
{
	if (pa->is_bad)
		return (PAPER_BAD);
	return (pa->report.is_unchecked ? CMD_UNCHECKED : EX_OK);
}

char *
paper_doubt(const struct paper *pa)
{
	const struct verify_report *rep = &pa->report;

	if (pa->is_bad)
		return (xalloc_printf("bad at line %lld: %s%s%s",
		    (long long)rep->file_line, pa->why.where,
		    pa->why.where[0] == '\0' ? "" : ": ", pa->why.text));
	if (rep->is_unchecked)
		return (xalloc_printf("not checkable here, line %lld: %s",
		    (long long)rep->unchecked_line, rep->unchecked.text));
	return (NULL);
}

void
paper_warn(const struct paper *pa)
{
	char *s;

	if ((s = paper_doubt(pa)) == NULL)
		return;
	out_error("%s: %s", pa->name, s);
	free(s);
}
