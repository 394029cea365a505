/* SPDX-License-Identifier: ISC */
/*
 * Rosters by questions: scripted people put rosters of every system together
 * exactly, with wrong answers between, going back at every question, and
 * broken off at every question and taken up again.
 */
#include "client/play/roster_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/schema.h"
#include "common/rules/show/declare.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/form.h"
#include "tests/lib/quoted.h"

#define LINES_MAX 400
#define BY_CHANCE 5 /* people at each system */

/* A person's answers; '=' stands before a text, where anything goes. */
struct script {
	const char *system;
	const char *const *lines;
	const char *sides; /* what comes of it */
};

static const char *const lasalle2[] = {"=French", "=Ligne 1", "=fr-1", "inf",
    "7", "none", "2", "2", "1", "=Horse guns", "=", "artillery", "2", "horse",
    "1", "1", "=", "=", "cav", "5", "shock", "1", "3", "fr-3", "change", "=-",
    "=fr-three", "", "6", "", "3", "fr-2", "2", "4", "=", "=", "=side-2",
    "infantry", "4", "none", "4", "1", NULL};
static const char *const invasion[] = {"=French", "=I Corps", "=", "infantry",
    "", "1", "3", "=Davout", "=", "4", "commander", "=Ney", "=ney", "", "5",
    "=none", "=", "=raevsky", "cavalry", "3", "none", "No more", "1", NULL};
static const char *const leniston[] = {"=Prussians", "=", "=pr-1", "A", "B",
    "C", "1 2", "3", "rout", "=", "=", "", "", "", "n", "1 2", "", "shaken",
    "2", "2", "No more", "=", "=", "=", "C", "C", "C", "none", "4", "2",
    "=Preussen", "4", "1", NULL};
static const char *const imaginations[] = {"=Prussians", "=Grenadiers", "=gren",
    "1", "2", "=", "elite", "4", "none", "=gren-b", "", "", "1", "1", "gren-b",
    "2", "5", "1", "2", "2", "1", "4", "=Austrians", "=", "=au-1", "cav", "1",
    "=", "raw", "3", "none", "", "", "none", "4", "1", NULL};
static const char *const tlnb[] = {"=French", "=Old Guard", "=", "infantry",
    "7", "y", "4", "5", "1 2", "1", "=", "=", "", "6", "n", "", "none", "4",
    "=Allies", "=", "=al-1", "cavalry", "3", "y", "1", "4", "1", "4", "1",
    NULL};

static const struct script scripts[] = {
    {"lasalle2", lasalle2,
	"{'1':{'name':'French','units':[{'id':'fr-1','name':'Ligne 1',"
	"'arm':'infantry','strength':7},{'id':'fr-three','arm':'infantry',"
	"'strength':6},{'id':'horse-guns','name':'Horse guns',"
	"'arm':'artillery','strength':2,'battery':'horse','shaken':true},"
	"{'id':'horse-guns-2','arm':'cavalry','strength':5,"
	"'traits':['shock'],'shaken':true}]},"
	"'2':{'units':[{'id':'side-2','arm':'infantry','strength':4}]}}"},
    {"invasion-1812", invasion,
	"{'1':{'name':'French','units':[{'id':'i-corps','name':'I Corps',"
	"'type':'infantry','cf':1,'disrupted':true}],'commanders':["
	"{'id':'davout','name':'Davout','cr':4},{'id':'ney','name':'Ney',"
	"'cr':4}]},'2':{'units':[{'id':'raevsky','type':'cavalry','cf':3}]}}"},
    {"leniston-2009", leniston,
	"{'1':{'name':'Preussen','units':[{'id':'pr-1','class':'A',"
	"'fire':'B','skirmish':'C','casualties':3,'state':'shaken'},"
	"{'id':'pr-2','class':'A','fire':'B','skirmish':'C','casualties':3,"
	"'state':'shaken'},{'id':'pr-3','class':'A','fire':'B',"
	"'skirmish':'C','casualties':3,'state':'shaken'}]},'2':{'units':["
	"{'id':'unit-1','class':'C','fire':'C','skirmish':'C'}]}}"},
    {"imagi-nations", imaginations,
	"{'1':{'name':'Prussians','units':[{'id':'gren','name':'Grenadiers',"
	"'arm':'infantry','lead':'gren-b','battalions':[{'id':'gren-1',"
	"'quality':'elite','sp':4},{'id':'gren-b','quality':'elite','sp':4,"
	"'hits':1}],'commander':2,'fatigue':2,'morale':5},{'id':'gren-2',"
	"'name':'Grenadiers 2','arm':'infantry','lead':'gren-2-b',"
	"'battalions':[{'id':'gren-2-1','quality':'elite','sp':4},"
	"{'id':'gren-2-b','quality':'elite','sp':4,'hits':1}],'commander':2,"
	"'fatigue':2,'morale':5}]},'2':{'name':'Austrians','units':["
	"{'id':'au-1','arm':'cavalry','lead':'au-1-1','battalions':["
	"{'id':'au-1-1','quality':'raw','sp':3}],'commander':0,'morale':4}]}}"},
    {"tlnb", tlnb,
	"{'1':{'name':'French','units':[{'id':'old-guard','name':'Old Guard',"
	"'arm':'infantry','sp':7,'reduced_sp':4,'reduced':true,'initiative':5,"
	"'demoralized':true},{'id':'old-guard-2','arm':'infantry','sp':6,"
	"'initiative':5}]},'2':{'name':'Allies','units':[{'id':'al-1',"
	"'arm':'cavalry','sp':3,'reduced_sp':1,'reduced':true,"
	"'initiative':4}]}}"},
};

/* Ids that are as long as they may be, and one more digit. */
#define LONG "long-long-long-long-long-long-9"
static const char *const long_lines[] = {"=", "=", "=" LONG, "1", "1",
    "=" LONG "b", "elite", "4", "none", "2", "5", "none", "2", "1", "4", "=",
    "=", "=au-1", "cav", "1", "=", "raw", "3", "none", "", "", "none", "4", "1",
    NULL};
static const struct script long_script = {"imagi-nations", long_lines,
    "{'1':{'units':[{'id':'" LONG "','arm':'infantry','lead':'" LONG "b',"
    "'battalions':[{'id':'" LONG "b','quality':'elite','sp':4}],"
    "'commander':2,'morale':5},"
    "{'id':'long-long-long-long-long-long-10','arm':'infantry',"
    "'lead':'long-long-long-long-long-long-1b',"
    "'battalions':[{'id':'long-long-long-long-long-long-1b',"
    "'quality':'elite','sp':4}],'commander':2,'morale':5}]},"
    "'2':{'units':[{'id':'au-1','arm':'cavalry','lead':'au-1-1',"
    "'battalions':[{'id':'au-1-1','quality':'raw','sp':3}],"
    "'commander':0,'morale':4}]}}"};

#define SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

/* What a person has on a disk, and has seen. */
struct desk {
	json_t *answers; /* as they were saved */
	size_t saved;
	size_t shown;
};

/* roster_form: saves a copy, as a file would be. */
static int
save_cb(void *arg, const json_t *answers)
{
	struct desk *d = arg;
	char *text = xalloc_dump(answers);

	json_decref(d->answers);
	d->answers = NULL;
	assert_int_equal(
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &d->answers, NULL), 0);
	free(text);
	d->saved++;
	return (0);
}

/* roster_form: the answers are not looked at before the end. */
static int
count_cb(void *arg, const json_t *answers)
{
	struct desk *d = arg;

	(void)answers;
	d->saved++;
	return (0);
}

/* roster_form: shows. */
static void
show_cb(void *arg, const json_t *blob)
{
	struct desk *d = arg;

	assert_non_null(json_object_get(blob, "sides"));
	d->shown++;
}

/* A person at the desk answers lines; the blob, new, or NULL: they left. */
static json_t *
asked(const char *system, struct desk *d, const char *const *lines)
{
	const struct rules_system *sys = systems_find(system);
	json_t *blob = NULL;
	struct person p;
	struct ask_io io = form_person_init(&p, lines, 0);
	struct roster_form form = {
	    .io = &io, .sys = sys, .save = save_cb, .show = show_cb, .arg = d};
	int r;

	form.answers =
	    d->answers == NULL ? json_object() : xalloc_copy(d->answers);
	r = roster_form_ask(&form, &blob);
	json_decref(form.answers);
	if (lines[p.n] != NULL)
		fail_msg("%s ends before %s:\n%s", system, lines[p.n],
		    buf_str(&p.said));
	if (r != 0 && r != ERR_CLOSED)
		fail_msg("%s: %d\n%s", system, r, buf_str(&p.said));
	if (getenv("UMPIRE_TALK") != NULL)
		(void)printf("%s\n", buf_str(&p.said));
	buf_clear(&p.said);
	return (r == 0 ? blob : NULL);
}

/* Fails unless the blob is what a script makes; takes it. */
static void
is_made(const struct script *s, json_t *blob, const char *how, size_t at)
{
	struct errinfo e = {.text = ""};
	struct roster *roster;
	json_t *sides;
	char *text;

	if (blob == NULL)
		fail_msg("%s, %s %zu: nothing", s->system, how, at);
	if (roster_parse(systems_find(s->system), blob, &roster, &e) != 0)
		fail_msg("%s: %s %s", s->system, e.where, e.text);
	roster_free(roster);
	text = quoted_text(s->sides);
	assert_int_equal(
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &sides, NULL), 0);
	free(text);
	if (!json_equal(sides, json_object_get(blob, "sides"))) {
		text = json_dumps(json_object_get(blob, "sides"), 0);
		fail_msg("%s, %s %zu: %s", s->system, how, at, text);
	}
	json_decref(sides);
	json_decref(blob);
}

/* Copies a script's lines as they are typed; returns how many. */
static size_t
typed(const struct script *s, const char **lines)
{
	size_t n;

	for (n = 0; s->lines[n] != NULL; n++)
		lines[n] =
		    s->lines[n][0] == '=' ? s->lines[n] + 1 : s->lines[n];
	lines[n] = NULL;
	return (n);
}

static void
scripts_make_rosters(void **unused)
{
	const char *lines[LINES_MAX], *const *line;
	size_t i, n;
	struct desk d;

	(void)unused;
	for (i = 0; i < SCRIPTS; i++) {
		(void)typed(&scripts[i], lines);
		d = (struct desk){.answers = NULL};
		is_made(&scripts[i], asked(scripts[i].system, &d, lines),
		    "straight", 0);
		json_decref(d.answers);
		assert_true(d.shown > 0);
		/* Then with two wrong answers before each right one. */
		for (n = 0, line = scripts[i].lines; *line != NULL; line++) {
			if (**line != '=') {
				lines[n++] = "what?!";
				lines[n++] = "99999999999999999999";
			}
			lines[n++] = **line == '=' ? *line + 1 : *line;
		}
		lines[n] = NULL;
		d = (struct desk){.answers = NULL};
		is_made(&scripts[i], asked(scripts[i].system, &d, lines),
		    "in spite of wrong answers", 0);
		json_decref(d.answers);
	}
}

static void
copies_have_ids_that_a_game_takes(void **unused)
{
	struct desk d = {.answers = NULL};
	const char *lines[LINES_MAX];

	(void)unused;
	(void)typed(&long_script, lines);
	is_made(&long_script, asked(long_script.system, &d, lines), "long", 0);
	json_decref(d.answers);
}

static void
going_back_changes_nothing(void **unused)
{
	const char *lines[LINES_MAX], *more[LINES_MAX + 2];
	size_t i, n, at;
	struct desk d;

	(void)unused;
	for (i = 0; i < SCRIPTS; i++) {
		n = typed(&scripts[i], lines);
		for (at = 0; at + 1 < n; at++) {
			memcpy(more, lines, (at + 1) * sizeof(*more));
			more[at + 1] = "b";
			memcpy(&more[at + 2], &lines[at],
			    (n - at + 1) * sizeof(*more));
			d = (struct desk){.answers = NULL};
			is_made(&scripts[i], asked(scripts[i].system, &d, more),
			    "back at", at);
			json_decref(d.answers);
		}
	}
}

static void
broken_off_it_goes_on(void **unused)
{
	const char *lines[LINES_MAX], *first[LINES_MAX];
	size_t i, n, at;
	struct desk d;

	(void)unused;
	for (i = 0; i < SCRIPTS; i++) {
		n = typed(&scripts[i], lines);
		for (at = 0; at < n; at++) {
			memcpy(first, lines, at * sizeof(*first));
			first[at] = NULL;
			d = (struct desk){.answers = NULL};
			assert_null(asked(scripts[i].system, &d, first));
			assert_int_equal(d.saved, at);
			is_made(&scripts[i],
			    asked(scripts[i].system, &d, &lines[at]),
			    "broken off at", at);
			json_decref(d.answers);
		}
	}
}

/* What no game would take is not offered to be written. */
static void
rosters_that_are_too_big_are_told(void **unused)
{
	static const char *const lines[] = {"French",
	    "A regiment of the line with a name that is not short at all 1",
	    "fr-1", "infantry", "7", "none", "copies", "399", "2", "", "", "au",
	    "infantry", "7", "none", "4", NULL};
	struct desk d = {.answers = json_object()};
	struct roster_form form = {.sys = systems_find("lasalle2"),
	    .answers = d.answers,
	    .save = count_cb,
	    .show = show_cb,
	    .arg = &d};
	json_t *blob;
	struct person p;
	struct ask_io io = form_person_init(&p, lines, 0);
	const char *said;

	(void)unused;
	form.io = &io;
	assert_int_equal(roster_form_ask(&form, &blob), ERR_CLOSED);
	assert_null(lines[p.n]);
	said = strstr(buf_str(&p.said), "and a game takes at most 40000");
	assert_non_null(said);
	assert_non_null(strstr(said, "No: change French"));
	assert_null(strstr(said, "write it"));
	json_decref(d.answers);
	buf_clear(&p.said);
}

/* The last line of what a person was shown: what they are asked. */
static const char *
last_line(struct person *p)
{
	const char *s = strrchr(buf_str(&p->said), '\n');

	return (s == NULL ? buf_str(&p->said) : s + 1);
}

/*
 * Fails unless two lines ask the same.  What Enter means may differ: who went
 * back is proposed what they had answered, until they leave.
 */
static void
is_same_question(const char *a, const char *b)
{
	const size_t n = strcspn(a, "[");

	assert_int_equal(strcspn(b, "["), n);
	assert_memory_equal(a, b, n);
}

static void
who_goes_back_is_proposed_their_answer(void **unused)
{
	static const struct {
		const char *lines[8], *proposed;
	} all[] = {
	    {{"French", "b", NULL}, "[French]> "},
	    {{"French", "Ligne", "fr-9", "b", NULL}, "[fr-9]> "},
	    {{"French", "Ligne", "fr-1", "artillery", "b", NULL}, " [3]> "},
	};
	struct desk d = {.answers = NULL};
	struct person p;
	struct ask_io io;
	json_t *blob;
	size_t i, n, m;

	(void)unused;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct roster_form form = {.io = &io,
		    .sys = systems_find("lasalle2"),
		    .answers = json_object(),
		    .save = count_cb,
		    .show = show_cb,
		    .arg = &d};

		io = form_person_init(&p, all[i].lines, 0);
		assert_int_equal(roster_form_ask(&form, &blob), ERR_CLOSED);
		n = strlen(last_line(&p));
		m = strlen(all[i].proposed);
		if (n < m ||
		    strcmp(last_line(&p) + n - m, all[i].proposed) != 0)
			fail_msg("not %s: %s", all[i].proposed, last_line(&p));
		json_decref(form.answers);
		buf_clear(&p.said);
	}
}

/*
 * People who answer by chance make rosters that hold, or leave; whoever takes
 * up what they left is asked what they were asked.
 */
static void
by_chance_it_holds_or_goes_on(void **unused)
{
	static const char *const nothing[] = {NULL};
	const struct rules_system *const *sys;
	struct person p, next;
	struct roster *roster;
	struct errinfo e;
	struct desk d;
	struct ask_io io;
	size_t made = 0;
	json_t *blob;
	uint64_t i;
	int r;

	(void)unused;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (i = 0; i < BY_CHANCE; i++) {
			struct roster_form form = {.io = &io,
			    .sys = *sys,
			    .answers = json_object(),
			    .save = count_cb,
			    .show = show_cb,
			    .arg = &d};

			d = (struct desk){.answers = NULL};
			io = form_person_init(&p, NULL, i + 1);
			p.is_eager = i % 2 == 0;
			r = roster_form_ask(&form, &blob);
			if (r == 0) {
				made++;
				if (roster_parse(*sys, blob, &roster, &e) != 0)
					fail_msg("%s %u: %s %s", (*sys)->id,
					    (unsigned)i, e.where, e.text);
				roster_free(roster);
				json_decref(blob);
			} else if (r == ERR_CLOSED) {
				io = form_person_init(&next, nothing, 0);
				assert_int_equal(
				    roster_form_ask(&form, &blob), ERR_CLOSED);
				is_same_question(
				    last_line(&next), last_line(&p));
				buf_clear(&next.said);
			} else {
				assert_int_equal(r, ASK_BACK);
			}
			json_decref(form.answers);
			buf_clear(&p.said);
		}
	}
	assert_true(made > 0);
	print_message("%zu rosters\n", made);
}

/* Marks the rows of a table that are asked for, which each is once. */
static void
marks(const struct schema_row *rows, const struct declare_member *members,
    bool is_part)
{
	const struct schema_row *row;
	const struct declare_member *of;
	size_t n;

	for (of = members; of->name != NULL; of++) {
		row = schema_find(rows, of->name);
		assert_non_null(row);
		assert_true((row->in & SCHEMA_GIVEN) != 0 || is_part);
		assert_non_null(of->label);
		assert_true(of->question != NULL || row->type == SCHEMA_BOOL);
		/* A mark is given by naming it among what is special. */
		assert_true(row->type != SCHEMA_BOOL || of->is_special);
		assert_true(!row->is_required || !of->is_special);
		assert_true((row->rows != NULL) == (of->parts != NULL));
		assert_true(row->has_null == (of->whether != NULL));
		if (of->parts != NULL)
			marks(row->rows, of->parts, true);
	}
	for (row = rows; row->name != NULL; row++) {
		n = 0;
		for (of = members; of->name != NULL; of++)
			n += strcmp(of->name, row->name) == 0;
		if ((!is_part && (row->in & SCHEMA_GIVEN) == 0) ||
		    strcmp(row->name, "id") == 0 ||
		    strcmp(row->name, "name") == 0)
			assert_int_equal(n, 0);
		else
			assert_int_equal(n, 1);
	}
}

static void
every_member_is_asked_for(void **unused)
{
	const struct rules_system *const *sys;
	const struct rules_show *show;

	(void)unused;
	for (sys = systems_all(); *sys != NULL; sys++) {
		show = show_list_find(*sys);
		marks((*sys)->unit, show->enlist, false);
		assert_true(((*sys)->commander == NULL) ==
		    (show->enlist_commander == NULL));
		if ((*sys)->commander != NULL)
			marks((*sys)->commander, show->enlist_commander, false);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scripts_make_rosters),
	    cmocka_unit_test(copies_have_ids_that_a_game_takes),
	    cmocka_unit_test(going_back_changes_nothing),
	    cmocka_unit_test(broken_off_it_goes_on),
	    cmocka_unit_test(rosters_that_are_too_big_are_told),
	    cmocka_unit_test(who_goes_back_is_proposed_their_answer),
	    cmocka_unit_test(by_chance_it_holds_or_goes_on),
	    cmocka_unit_test(every_member_is_asked_for),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
