/* SPDX-License-Identifier: ISC */
/*
 * A profile: one player's keys, settings, nicknames and copies of games, in
 * the XDG base directories:
 *   $XDG_CONFIG_HOME/umpire/NAME/config   server, pinned key, account
 *   $XDG_DATA_HOME/umpire/NAME/sign.key   the key that signs orders
 *   $XDG_DATA_HOME/umpire/NAME/dice.key   the player's part of the dice
 *   $XDG_DATA_HOME/umpire/NAME/dice.key.* other dice keys (dice_keys.h)
 *   $XDG_DATA_HOME/umpire/NAME/recovery.pub   public half of the recovery key
 *   $XDG_DATA_HOME/umpire/NAME/known      other keys of the account (known.h)
 *   $XDG_DATA_HOME/umpire/NAME/names      nicknames of games
 *   $XDG_DATA_HOME/umpire/NAME/rosters/   the library of rosters
 *   $XDG_DATA_HOME/umpire/NAME/games/     copies, pending orders, refusals
 */
#ifndef UMPIRE_CLIENT_PROFILE_PROFILE_H
#define UMPIRE_CLIENT_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/words.h"
#include "common/game/game_make.h"

struct buf;

#define PROFILE_DEFAULT "default"
#define PROFILE_PORT "1815"

struct profile {
	char *name; /* owned, as all strings here */
	char *config_dir; /* this profile's */
	char *data_dir;
	char *server; /* HOST[:PORT]; NULL: not set */
	char *account; /* NULL: not set */
	char *display; /* what people see; NULL: the account */
	bool has_pin;
	uint8_t pin[SIGN_KEY_LEN]; /* the server's identity key */
	bool is_invited; /* that pin is an invitation's, and not saved */
	bool has_recovery;
	uint8_t recovery[SIGN_KEY_LEN]; /* after profile_load_keys() */
	bool has_keys;
	struct game_keys keys; /* after profile_load_keys() */
};

/*
 * Opens the profile `name`; NULL: $UMPIRE_PROFILE, else "default".  A profile
 * that was never made is empty (no error).  ERR_CONFIG for a bad name, an
 * environment without a home, a settings file that is wrong; ERR_IO.
 * *out is new.
 */
int profile_open(const char *name, struct profile **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees it and wipes its keys; NULL is allowed. */
void profile_free(struct profile *p);

/* The path of a file of the profile's data; free() frees it. */
char *profile_path(const struct profile *p, const char *file);

/* The path games/<id in hex><suffix>; free() frees it. */
char *profile_game_path(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *suffix);

/*
 * The same file: whether it is there; what it holds from byte `from` on; its
 * content replaced (mode 0600), overwritten from byte `at` on, or appended to,
 * and synced.  Errors as those
 * of file.h.
 */
bool profile_game_has(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *suffix);
int profile_game_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, size_t from, struct buf *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int profile_game_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, const char *bytes, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));
int profile_game_patch(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, size_t at, const char *bytes, size_t n,
    struct errinfo *e) __attribute__((warn_unused_result));
int profile_game_append(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, const char *bytes, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Locks a game against other processes: file_lock() of its lock file. */
int profile_game_lock(const struct profile *p, const uint8_t id[HASH_LEN],
    int *fd, struct errinfo *e) __attribute__((warn_unused_result));

/* True if either of its key files exists. */
bool profile_exists(const struct profile *p);

/*
 * True if a key file is missing though the profile has an account or games:
 * it was lost, not never made.
 */
bool profile_is_bereft(const struct profile *p);

/*
 * Shows the words that new keys come back from (record S4.1) and returns 0, or
 * what profile_make() then returns.
 */
typedef int profile_show_words(void *arg, const char *words);

/*
 * Makes the folders and those key files that do not exist, and loads the
 * keys; *is_new says that both are new.  Then `show` (NULL: nobody) was called
 * with the words before anything was written: they are kept nowhere, and the
 * profile has the recovery key's public half.  ERR_IO, ERR_EXISTS if only one
 * of the files is there, or what show returned.
 */
int profile_make(struct profile *p, bool *is_new, profile_show_words *show,
    void *arg, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Gives a profile of before recovery keys (loaded) one: new words, which `show`
 * is called with before anything is written, and the dice key of its next
 * games from them.  ERR_IO, or what show returned.
 */
int profile_make_recovery(struct profile *p, profile_show_words *show,
    void *arg, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Loads the keys into p->keys.  ERR_CONFIG if there are none (with what to
 * do), ERR_DENIED if others may read them, ERR_IO.
 */
int profile_load_keys(struct profile *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Writes the recovery key's public half to its file.  ERR_IO. */
int profile_write_recovery(const struct profile *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Writes server, pin, account and display to the settings file.  ERR_IO. */
int profile_save(const struct profile *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Splits HOST[:PORT], [ADDRESS]:PORT or a bare address: *host and *port are
 * new.  ERR_INVALID.
 */
int profile_split(const char *server, char **host, char **port,
    struct errinfo *e) __attribute__((warn_unused_result));

/* True for a name that a profile or game may have: no slash, no hex id. */
bool profile_is_nick(const char *s);

/* The id of a nickname.  False if there is none. */
bool profile_find_nick(
    const struct profile *p, const char *nick, uint8_t id[HASH_LEN]);

/* The nickname of a game, new; NULL if it has none. */
char *profile_nick(const struct profile *p, const uint8_t id[HASH_LEN]);

/*
 * Gives a game this nickname (NULL: the first free of g1, g2 ...), unless it
 * is another game's: ERR_EXISTS.  ERR_INVALID, ERR_IO.
 */
int profile_set_nick(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/* Takes a game's nickname away.  ERR_IO. */
int profile_drop_nick(const struct profile *p, const uint8_t id[HASH_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The ids of games of which there is a copy or a pending order, in the order
 * of their digits: *ids is a new array of *n ids.  ERR_IO.
 */
int profile_games(const struct profile *p, uint8_t (**ids)[HASH_LEN], size_t *n,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same of all that has a file games/<id><one>, or, unless it is NULL,
 * <other>: tournaments, too (client/tournament/desk_copy.h).
 */
int profile_list(const struct profile *p, const char *one, const char *other,
    uint8_t (**ids)[HASH_LEN], size_t *n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The names of all profiles of this machine's user, sorted; *names is a new
 * array.  ERR_IO.
 */
int profile_names(const struct profile *p, json_t **names, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * How many of these games begin with these hex digits; id is the last of them.
 * ERR_IO.
 */
int profile_find_digits(const struct profile *p, const char *digits,
    uint8_t id[HASH_LEN], size_t *hits, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
