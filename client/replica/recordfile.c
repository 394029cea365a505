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

#define RECORDFILE_MAX ((size_t)1 << 30) /* bytes of a record */

bool
recordfile_is_file(const char *word)
{
	struct stat st;

	return (strcmp(word, "-") == 0 || strchr(word, '/') != NULL ||
	    (stat(word, &st) == 0 && !S_ISDIR(st.st_mode)));
}

const char *
recordfile_name(const char *word)
{
	return (strcmp(word, "-") == 0 ? "standard input" : word);
}

int
recordfile_read(const char *word, struct buf *bytes)
{
	struct errinfo e = {.text = ""};
	int r;

	r = file_read(word, RECORDFILE_MAX, bytes, &e);
	if (r != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	return (0);
}

/* Says that nothing of a record can be told. */
static int
paper_refuse(const struct recordfile *pa)
{
	char *s;

	if ((s = recordfile_doubt(pa)) != NULL)
		out_error("%s: %s", pa->name, s);
	else
		out_error("%s holds no game", pa->name);
	free(s);
	return (pa->report.is_unchecked && !pa->is_bad ? CMD_UNCHECKED
						       : RECORDFILE_BAD);
}

int
recordfile_open(const char *word, struct recordfile **out)
{
	struct verify_options opt;
	struct recordfile *pa;
	struct verify *v;
	struct buf bytes;
	int r, status;

	pa = xalloc(sizeof(*pa));
	pa->name = out_safe(recordfile_name(word));
	memset(&opt, 0, sizeof(opt));
	opt.head_seq = -1;
	buf_init(&bytes, 0);
	if ((status = recordfile_read(word, &bytes)) != 0)
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
		recordfile_close(pa);
	else
		*out = pa;
	return (status);
}

void
recordfile_close(struct recordfile *pa)
{
	if (pa == NULL)
		return;
	copy_close(pa->copy);
	free(pa->name);
	free(pa);
}

int
recordfile_status(const struct recordfile *pa)
{
	if (pa->is_bad)
		return (RECORDFILE_BAD);
	return (pa->report.is_unchecked ? CMD_UNCHECKED : EX_OK);
}

char *
recordfile_doubt(const struct recordfile *pa)
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
recordfile_warn(const struct recordfile *pa)
{
	char *s;

	if ((s = recordfile_doubt(pa)) == NULL)
		return;
	out_error("%s: %s", pa->name, s);
	free(s);
}
