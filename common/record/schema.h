/* SPDX-License-Identifier: ISC */
/*
 * JSON Schema texts of the protocol's types (umpire-protocol.7), for the
 * tables of methods and of orders.
 */
#ifndef UMPIRE_COMMON_RECORD_SCHEMA_H
#define UMPIRE_COMMON_RECORD_SCHEMA_H

#define SCHEMA_TEXT "{\"type\":\"string\"}"
#define SCHEMA_INT "{\"type\":\"integer\"}"
#define SCHEMA_BOOL "{\"type\":\"boolean\"}"
#define SCHEMA_OBJECT "{\"type\":\"object\"}"
#define SCHEMA_HEX(digits) \
	"{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{" digits "}$\"}"
#define SCHEMA_HASH SCHEMA_HEX("64")
#define SCHEMA_KEY SCHEMA_HEX("64")
#define SCHEMA_SIG SCHEMA_HEX("128")
#define SCHEMA_DICE_KEY SCHEMA_HEX("66")
#define SCHEMA_GAME SCHEMA_HEX("4,64")
#define SCHEMA_TIME "{\"type\":\"string\",\"format\":\"date-time\"}"
#define SCHEMA_ACCOUNT \
	"{\"type\":\"string\",\"pattern\":\"^[a-z0-9][a-z0-9._-]{0,31}$\"}"
#define SCHEMA_ARRAY(of) "{\"type\":\"array\",\"items\":" of "}"
#define SCHEMA_OR_NULL(type) "{\"type\":[\"" type "\",\"null\"]}"

#define SCHEMA_ONE(words) "{\"enum\":[" words "]}"
#define SCHEMA_RANGE(lo, hi) \
	"{\"type\":\"integer\",\"minimum\":" lo ",\"maximum\":" hi "}"
#define SCHEMA_SECONDS(lo) SCHEMA_RANGE(lo, "31536000")
#define SCHEMA_ID SCHEMA_ACCOUNT

#endif
