/* SPDX-License-Identifier: ISC */
/* The labels of rolls, read by the forms that a system gives. */
#include "common/rules/show/rules_show.h"

#include <stddef.h>
#include <string.h>

/* Reads one part of a label, n bytes, by its part of a form. */
static bool
rules_show_part(const char *form, size_t m, const char *label, size_t n,
    struct rules_rolled *out)
{
	if (m == 2 && memcmp(form, "ID", m) == 0) {
		if (n == 0 || n >= sizeof(out->id))
			return (false);
		memcpy(out->id, label, n);
		out->id[n] = '\0';
		return (true);
	}
	if (m == 4 && memcmp(form, "SIDE", m) == 0) {
		out->has_side = true;
		out->side = COMBAT_ATTACKER;
		if (n == 8 && memcmp(label, "attacker", n) == 0)
			return (true);
		out->side = COMBAT_DEFENDER;
		return (n == 8 && memcmp(label, "defender", n) == 0);
	}
	return (m == n && memcmp(form, label, n) == 0);
}

bool
rules_show_roll(
    const struct rules_show *show, const char *label, struct rules_rolled *out)
{
	const struct rules_roll *roll;
	const char *form, *p;
	size_t m, n;

	for (roll = show->rolls; roll != NULL && roll->form != NULL; roll++) {
		memset(out, 0, sizeof(*out));
		out->roll = roll;
		form = roll->form;
		for (p = label;; p += n + 1, form += m + 1) {
			m = strcspn(form, "/");
			n = strcspn(p, "/");
			if (!rules_show_part(form, m, p, n, out) ||
			    (form[m] == '/') != (p[n] == '/'))
				break;
			if (form[m] == '\0')
				return (true);
		}
	}
	return (false);
}
