/* SPDX-License-Identifier: ISC */
/*
 * Tables of rosters: whatever the text is, it is a roster that games take or
 * something is told of it; a roster is written as a table that is read as the
 * same roster.
 */
#include <stdlib.h>

#include "client/report/roster_csv.h"
#include "common/base/buf.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/fuzz/fuzz.h"

/* Each fault has a text; returns how many there are, and forgets them. */
static size_t
fuzz_roster_csv_faults(struct roster_csv_faults *faults)
{
	size_t i, all = faults->all;

	for (i = 0; i < faults->n; i++)
		FUZZ_MUST(faults->list[i].what[0] != '\0');
	roster_csv_faults_clear(faults);
	return (all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct roster_csv_faults faults;
	const struct rules_system *sys;
	struct errinfo e = {.text = ""};
	struct roster *roster;
	json_t *blob, *again;
	struct buf b;

	if (size > ROSTER_CSV_MAX)
		return (0);
	blob = roster_csv_read(
	    (const char *)data, size, "lasalle2", true, &faults);
	FUZZ_MUST((blob == NULL) == (fuzz_roster_csv_faults(&faults) > 0));
	json_decref(blob);
	blob = roster_csv_read((const char *)data, size, NULL, false, &faults);
	FUZZ_MUST((blob == NULL) == (fuzz_roster_csv_faults(&faults) > 0));
	if (blob == NULL)
		return (0);
	sys = systems_find(json_string_value(json_object_get(blob, "system")));
	FUZZ_MUST(sys != NULL);
	FUZZ_MUST(roster_parse(sys, blob, &roster, &e) == 0);
	roster_free(roster);
	buf_init(&b, 0);
	roster_csv_write(sys, blob, &b);
	again = roster_csv_read(buf_str(&b), b.len, NULL, false, &faults);
	FUZZ_MUST(again != NULL);
	FUZZ_MUST(json_equal(blob, again));
	json_decref(again);
	json_decref(blob);
	buf_clear(&b);
	return (0);
}
