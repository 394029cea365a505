/* SPDX-License-Identifier: ISC */
#include "tests/lib/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rules/systems/systems.h"

/* Shows a paragraph: it is kept. */
static void
person_say_cb(void *arg, int indent, const char *text)
{
	struct person *p = arg;
	const char *s = text + strspn(text, " ");

	(void)indent;
	/* A list begins with number 1. */
	if (strncmp(s, "1  ", 3) == 0)
		p->choices = 1;
	else if (*s >= '1' && *s <= '9')
		p->choices++;
	if (strstr(text, "choose yourself") != NULL)
		p->is_advised = true;
	buf_puts(&p->said, text);
	buf_putc(&p->said, '\n');
}

/* What a person types who knows no better; new. */
static char *
person_guess(struct person *p, const char *prompt)
{
	static const char *const odd[] = {"", "b", "all", "none", "?", "-1",
	    "1 1", "9999999999999999999", "x y", "3-1", "\xc3\xa4", "back"};
	char s[64];
	size_t n;

	if (p->is_advised) {
		p->is_advised = false;
		p->is_own = chance_pick_cb(&p->seed, 4) != 0;
		return (strdup(p->is_own ? "2" : "1"));
	}
	n = chance_pick_cb(&p->seed, p->is_eager ? 40 : 14);
	if (n < sizeof(odd) / sizeof(odd[0]) && (!p->is_eager || n == 0))
		return (strdup(odd[n]));
	if (strstr(prompt, "y/n") != NULL)
		return (strdup(chance_pick_cb(&p->seed, 3) == 0 ? "y" : "n"));
	if (strstr(prompt, "none]") != NULL && chance_pick_cb(&p->seed, 2) == 0)
		return (strdup(""));
	if (strstr(prompt, ", all") != NULL && chance_pick_cb(&p->seed, 4) == 0)
		return (strdup("all"));
	n = p->choices == 0 ? 4 : p->choices;
	(void)snprintf(
	    s, sizeof(s), "%u", 1 + chance_pick_cb(&p->seed, (uint32_t)n));
	if (strstr(prompt, "numbers") != NULL &&
	    chance_pick_cb(&p->seed, 2) == 0)
		(void)snprintf(s + strlen(s), sizeof(s) - strlen(s), " %u",
		    1 + chance_pick_cb(&p->seed, (uint32_t)n));
	return (strdup(s));
}

/* Reads a line. */
static int
person_line_cb(void *arg, const char *prompt, const json_t *words, char **line)
{
	struct person *p = arg;
	char *s;

	(void)words;
	buf_puts(&p->said, prompt);
	if (p->n == FORM_ASKED_MAX ||
	    (p->lines != NULL && p->lines[p->n] == NULL))
		return (ERR_CLOSED);
	s = p->lines != NULL ? strdup(p->lines[p->n]) : person_guess(p, prompt);
	assert_non_null(s);
	p->n++;
	buf_printf(&p->said, "%s\n", s);
	*line = s;
	return (0);
}

struct ask_io
form_person_init(struct person *p, const char *const lines[], uint64_t seed)
{
	const struct ask_io io = {
	    .line = person_line_cb, .say = person_say_cb, .arg = p};

	memset(p, 0, sizeof(*p));
	p->lines = lines;
	p->seed = seed;
	p->is_own = true;
	buf_init(&p->said, 0);
	return (io);
}

json_t *
form_sample(const struct rules_system *sys, const char *what)
{
	char path[512], *text;
	json_t *v;
	size_t n;
	FILE *f;

	(void)snprintf(path, sizeof(path), TOP_SRCDIR "/etc/samples/%s-%s.json",
	    sys->id, what);
	if ((f = fopen(path, "rb")) == NULL)
		fail_msg("%s: cannot be opened", path);
	assert_non_null(text = malloc(FORM_FILE_MAX));
	n = fread(text, 1, FORM_FILE_MAX - 1, f);
	text[n] = '\0';
	assert_int_equal(fclose(f), 0);
	v = table_json(text);
	free(text);
	return (v);
}

void
form_begin(
    struct table *t, const struct rules_system *sys, const json_t *roster)
{
	struct buf text, more;

	buf_init(&text, 0);
	buf_init(&more, 0);
	js_dump(roster, &text);
	buf_printf(&more, "{\"system\":\"%s\",\"rules\":\"%s\"}", sys->id,
	    sys->version);
	table_begun_with(t, buf_str(&text), buf_str(&more));
	buf_clear(&text);
	buf_clear(&more);
}

json_t *
form_hears(const struct table *t, int side, const char *const *lines,
    const char *const *texts)
{
	json_t *combat = NULL;
	struct person p;
	struct ask_io io;
	const char *at;
	int r;

	io = form_person_init(&p, lines, 0);
	r = form_declare(&io, t->game, side, NULL, &combat);
	if (r != 0)
		fail_msg("%d: %s", r, buf_str(&p.said));
	for (at = buf_str(&p.said); *texts != NULL; texts++) {
		if ((at = strstr(at, *texts)) == NULL)
			fail_msg("no \"%s\" in %s", *texts, buf_str(&p.said));
	}
	buf_clear(&p.said);
	return (combat);
}

static const char *const form_lasalle2[] = {"fr-line-1 fr-line-2 fr-chass",
    "column", "line", "au-ir-1 au-foot-1", "1", "unlimb", "1", "1", "2", "n",
    "6 7", "not all", "front", "left", "1", "1", "3", "2", "none", "y", NULL};
static const char *const form_invasion[] = {"1-3 davout-cav1 davout-art",
    "davout", "borozdin-inf1 borozdin-inf2 borozdin-art", "bagration", "n",
    "4 8 9", "y", "ney-inf1 ney-inf2 ney-cav1", "ney", "force", "n", "y",
    "raevsky-inf1 raevsky-inf2", "raevsky", "none", "n", "rough", "y", NULL};
static const char *const form_leniston[] = {
    "bua-edge", "pr-16", "fr-barrois", "n", "5", "1-3", "hold", "y", NULL};
static const char *const form_imaginations[] = {"pr-meyerinck pr-gren",
    "au-wurtt", "n", "3 5-8", "y", "=battery in support", "2", "offensive", "y",
    "=tired", "-1", "cond", "n", "1", "1", "y", "=churchyard wall", "3", "def",
    "n", "1", "village", "y", NULL};
static const char *const form_tlnb[] = {"attack", "fr-og-1 fr-drouot-1 fr-nans",
    "al-rech al-spleny", "n", "3 5 7 8", "1", "1 2", "=2417", "1", "=2418",
    "hex", "all", "=2517", "rain", "5 6 8", "attacker", "attacker", "al-bav",
    "1", "=2517", "y", NULL};

const struct form_script form_scripts[FORM_SCRIPTS] = {
    {"lasalle2", form_lasalle2},
    {"invasion-1812", form_invasion},
    {"leniston-2009", form_leniston},
    {"imagi-nations", form_imaginations},
    {"tlnb", form_tlnb},
};

const char *
form_typed(const char *line)
{
	return (*line == '=' ? line + 1 : line);
}

void
form_open(struct table *t, const struct form_script *s)
{
	const struct rules_system *sys = systems_find(s->system);
	json_t *roster;

	assert_non_null(sys);
	roster = form_sample(sys, "evening");
	form_begin(t, sys, roster);
	json_decref(roster);
}
