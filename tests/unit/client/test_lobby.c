/* SPDX-License-Identifier: ISC */
/*
 * What a server may say of its lobby: rows of nonsense, floods, lists that do
 * not end, a head that goes back.  link_call() is the test's own here.
 */
#include "client/play/lobby.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"

#include "tests/lib/quoted.h"

#define ID "1111111111111111111111111111111111111111111111111111111111111111"

/* What game.list answers next. */
struct script {
	const char *lists; /* for each phase, a quoted_text(); NULL: none */
	int64_t first; /* games that are made up, by number */
	int64_t n; /* of them a list */
	bool is_endless; /* each page has another behind it */
	int calls;
};

static struct script *script;

/* Reads JSON, a quoted_text(): any, not only what a record may hold; new. */
static json_t *
json_of(const char *quoted)
{
	char *text = quoted_text(quoted);
	json_t *v = json_loads(text, 0, NULL);

	free(text);
	assert_non_null(v);
	return (v);
}

/* A row, told apart by its number. */
static json_t *
row_of(int64_t number, const char *phase, int64_t seq)
{
	char id[65];

	snprintf(id, sizeof(id), "%064llx", (long long)number);
	return (json_pack("{s:s, s:s, s:s, s:[[s],[]], s:s, s:i, s:s, s:I,"
			  " s:s}",
	    "game", id, "system", "lasalle2", "phase", phase, "players", "anna",
	    "director", "", "turn", 0, "event", "", "seq", (json_int_t)seq,
	    "at", "2026-11-22T12:00:00.000Z"));
}

int
link_call(struct link *l, const char *method, json_t *params, json_t **result,
    struct conn_error *ce)
{
	json_t *games = json_array();
	int64_t i;

	(void)l;
	memset(ce, 0, sizeof(*ce));
	assert_string_equal(method, "game.list");
	if (json_object_get(params, "phase") != NULL || script->is_endless) {
		for (i = 0; i < script->n; i++)
			json_array_append_new(
			    games, row_of(script->first++, "muster", 1));
	}
	json_decref(params);
	script->calls++;
	*result = script->lists != NULL ? json_of(script->lists)
					: json_pack("{s:O}", "games", games);
	json_decref(games);
	assert_non_null(*result);
	if (script->is_endless)
		json_object_set_new(*result, "more", json_string("1.2"));
	return (0);
}

/* A lobby that has read its lists. */
static struct lobby *
known(struct script *sc)
{
	struct conn_error ce;
	struct lobby *lb;

	memset(sc, 0, sizeof(*sc));
	script = sc;
	lb = lobby_new(NULL, false);
	assert_int_equal(lobby_compare(lb, NULL, NULL, &ce), 0);
	return (lb);
}

static void
rows_of_nonsense_are_refused_and_change_nothing(void **state)
{
	static const char *const changes[] = {"{'game':null}", "{'game':'11'}",
	    "{'game':7}", "{'gone':1}", "{'invited':'yes'}", "{'system':null}",
	    "{'phase':'x'}", "{'phase':[]}", "{'players':null}",
	    "{'players':[]}", "{'players':[[]]}", "{'players':[[],[],[]]}",
	    "{'players':[[],'anna']}", "{'players':[[],[1]]}",
	    "{'players':[[],['']]}", "{'players':[[],['a\\nb']]}",
	    "{'players':[[],['\\u001b[31m']]}",
	    "{'players':[[],['a','a','a','a','a','a','a','a','a','a','a','a',"
	    "'a','a','a','a','a']]}",
	    "{'director':null}", "{'director':'\\u001b]0;x\\u0007'}",
	    "{'turn':-1}", "{'turn':1.5}", "{'event':{}}", "{'seq':'1'}",
	    "{'seq':-1}", "{'at':0}"};
	json_t *change, *events = json_array(), *row;
	struct errinfo e;
	struct script sc;
	struct lobby *lb = known(&sc);
	char text[300];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		row = row_of(1, "muster", 1);
		change = json_of(changes[i]);
		assert_int_equal(json_object_update(row, change), 0);
		if (lobby_take(lb, row, events, &e) != ERR_REQUEST)
			fail_msg("taken: %s", changes[i]);
		json_decref(change);
		json_decref(row);
	}
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (i = 0; i < 3; i++) {
		static const char *const names[] = {"system", "event", "at"};

		row = row_of(1, "muster", 1);
		json_object_set_new(row, names[i], json_string(text));
		assert_int_not_equal(lobby_take(lb, row, events, &e), 0);
		json_decref(row);
	}
	for (i = 0; i < 3; i++) {
		row = i == 0 ? json_null()
		    : i == 1 ? json_array()
			     : json_string(ID);
		assert_int_equal(lobby_take(lb, row, events, &e), ERR_REQUEST);
		json_decref(row);
	}
	assert_int_equal(json_array_size(events), 0);
	json_decref(events);
	lobby_free(lb);
}

static void
a_head_that_goes_back_tells_nothing(void **state)
{
	json_t *events = json_array(), *row;
	struct errinfo e;
	struct script sc;
	struct lobby *lb = known(&sc);
	int64_t seq;

	(void)state;
	row = row_of(1, "play", 9);
	assert_int_equal(lobby_take(lb, row, events, &e), 0);
	json_decref(row);
	assert_int_equal(json_array_size(events), 1);
	for (seq = 8; seq >= 0; seq--) {
		row = row_of(1, "finished", seq);
		assert_int_equal(lobby_take(lb, row, events, &e), 0);
		json_decref(row);
	}
	/* The same again is no event either. */
	row = row_of(1, "play", 9);
	assert_int_equal(lobby_take(lb, row, events, &e), 0);
	json_decref(row);
	assert_int_equal(json_array_size(events), 1);
	/* Nor is the end of what was never there. */
	row = json_pack("{s:s, s:b}", "game", ID, "gone", 1);
	assert_int_equal(lobby_take(lb, row, events, &e), 0);
	json_decref(row);
	assert_int_equal(json_array_size(events), 1);
	json_decref(events);
	lobby_free(lb);
}

static void
floods_end(void **state)
{
	json_t *events = json_array(), *row;
	struct conn_error ce;
	struct errinfo e;
	struct script sc;
	struct lobby *lb = known(&sc);
	int64_t i;
	int r = 0;

	(void)state;
	for (i = 0; r == 0 && i < 30000; i++) {
		row = row_of(i, "muster", 1);
		r = lobby_take(lb, row, events, &e);
		json_decref(row);
		json_array_clear(events);
	}
	assert_int_equal(r, ERR_TOOBIG);
	lobby_free(lb);
	/* Pages of new games for ever, and pages of none. */
	lb = known(&sc);
	sc.is_endless = true;
	sc.n = 200;
	assert_int_equal(lobby_compare(lb, NULL, events, &ce), ERR_TOOBIG);
	assert_true(sc.calls < 200);
	sc.n = 0;
	assert_int_equal(lobby_compare(lb, NULL, events, &ce), ERR_REQUEST);
	assert_non_null(strstr(ce.e.text, "does not end"));
	assert_int_equal(json_array_size(events), 0);
	json_decref(events);
	lobby_free(lb);
}

static void
lists_of_nonsense_are_refused(void **state)
{
	static const char *const lists[] = {"{}", "{'games':{}}",
	    "{'games':[1]}", "{'games':[{}]}", "{'games':[],'more':7}",
	    "{'games':[{'game':'" ID "'}]}"};
	json_t *events = json_array();
	struct conn_error ce;
	struct script sc;
	struct lobby *lb = known(&sc);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		sc.lists = lists[i];
		if (lobby_compare(lb, NULL, events, &ce) != ERR_REQUEST)
			fail_msg("taken: %s", lists[i]);
	}
	assert_int_equal(json_array_size(events), 0);
	json_decref(events);
	lobby_free(lb);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_of_nonsense_are_refused_and_change_nothing),
	    cmocka_unit_test(a_head_that_goes_back_tells_nothing),
	    cmocka_unit_test(floods_end),
	    cmocka_unit_test(lists_of_nonsense_are_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
