# SPDX-License-Identifier: ISC
#
# umpire.wasm: the verifier, the rules, tournaments and the report, of the same
# sources as umpire's, for browsers.  Made by "make wasm", which gives
#
#   top      the sources' folder       made     where the generated ones are
#   SOURCES  those in top              MADE     those in made
#   VERSION  of umpire
#
# What is made is a function of the sources, of what reader/sources names and of
# the compiler: no path and no time gets into it.

here := $(CURDIR)
VPATH = $(top) $(made)

CLANG = clang-14
AR = llvm-ar-14
RANLIB = llvm-ranlib-14

target = --target=wasm32-wasi -nostdlibinc \
	-isystem /usr/include/wasm32-wasi
emulated = -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
	-D_WASI_EMULATED_GETPID
CFLAGS = $(target) $(emulated) -O2 -std=gnu11
CPPFLAGS = -D_GNU_SOURCE -DPACKAGE_VERSION='"$(VERSION)"' \
	-DCLOCK_BOOTTIME=CLOCK_MONOTONIC -DUTF8PROC_STATIC \
	-I$(top)/reader/lacking -I. -I$(here)/jansson-made -I$(here)/deps/jansson/src \
	-I$(here)/deps/openssl/include -I$(here)/deps/utf8proc

# The page asks for these, and nothing else is kept.
exports = room add judge text verdict told luck proof head more combats odds \
	scenario picture

own = reader/reader.c reader/lacking.c
objects = $(SOURCES:%.c=obj/%.o) $(MADE:%.c=obj/%.o) $(own:%.c=obj/%.o)

umpire.wasm: $(objects) libcrypto.a libjansson.a libutf8proc.a
	$(CLANG) --target=wasm32-wasi --sysroot=/usr -L/usr/lib/wasm32-wasi \
		-mexec-model=reactor -O2 -o $@.tmp $(objects) \
		libcrypto.a libjansson.a libutf8proc.a \
		-lwasi-emulated-signal -lwasi-emulated-process-clocks \
		-lwasi-emulated-getpid -lm \
		-Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=1048576 \
		-Wl,--max-memory=1073741824 \
		$(exports:%=-Wl,--export=reader_%)
	mv $@.tmp $@

$(objects): wasm.stamp libcrypto.a libjansson.a libutf8proc.a

# Everything anew if what it is made with changes.
wasm.stamp: $(top)/reader/wasm.mk $(top)/reader/sources
	$(top)/reader/fetch.sh deps
	rm -rf obj libcrypto.a libjansson.a libutf8proc.a
	$(CLANG) --version | head -n 1 >$@

obj/%.o: $(top)/%.c
	@mkdir -p $(@D)
	cd $(top) && $(CLANG) $(CFLAGS) $(CPPFLAGS) -MMD -MP -MT $@ \
		-MF $(here)/$(@:.o=.d) -c $*.c -o $(here)/$@

obj/%.o: $(made)/%.c
	@mkdir -p $(@D)
	cd $(made) && $(CLANG) $(CFLAGS) $(CPPFLAGS) -I$(top) -MMD -MP -MT $@ \
		-MF $(here)/$(@:.o=.d) -c $*.c -o $(here)/$@

-include $(objects:.o=.d)

# ---- what it rests on ----

# Of OpenSSL only what hashes, Ed25519 and P-256 need.
openssl_without = asm threads sock dso engine dynamic-engine shared tests \
	async ui-console afalgeng module autoload-config legacy cms ts ocsp ct \
	srp srtp psk dtls tls comp rc2 rc4 rc5 idea seed camellia aria bf cast \
	des sm2 sm3 sm4 md4 mdc2 rmd160 whirlpool siphash blake2 scrypt gost \
	dh dsa ec2m chacha poly1305 ocb siv cmp nextprotoneg err filenames \
	deprecated

libcrypto.a: wasm.stamp
	cp $(top)/reader/openssl.conf \
		deps/openssl/Configurations/99-wasm.conf
	cd deps/openssl && SOURCE_DATE_EPOCH=0 ./Configure wasm32-wasi \
		$(openssl_without:%=no-%) enable-ec_nistp_64_gcc_128 >/dev/null
	SOURCE_DATE_EPOCH=0 $(MAKE) -C deps/openssl build_generated \
		libcrypto.a >openssl.log 2>&1 || { tail openssl.log; exit 1; }
	cp deps/openssl/libcrypto.a $@

libjansson.a: wasm.stamp
	mkdir -p jansson-made
	sed -e 's/@json_inline@/inline/' \
		-e 's/@json_have_long_long@/1/' \
		-e 's/@json_have_[a-z_]*@/0/' \
		deps/jansson/src/jansson_config.h.in \
		>jansson-made/jansson_config.h
	printf '#define HAVE_%s 1\n' STDINT_H SYS_TYPES_H UNISTD_H SYS_TIME_H \
		STRTOLL >jansson-made/jansson_private_config.h
	echo '#define INITIAL_HASHTABLE_ORDER 3' \
		>>jansson-made/jansson_private_config.h
	cd deps/jansson/src && for c in *.c; do \
		$(CLANG) $(CFLAGS) -DHAVE_CONFIG_H -I$(here)/jansson-made -I. \
			-c $$c -o $(here)/jansson-made/$${c%.c}.o || exit 1; \
	done
	rm -f $@
	$(AR) rcs $@ jansson-made/*.o

libutf8proc.a: wasm.stamp
	cd deps/utf8proc && $(CLANG) $(CFLAGS) -DUTF8PROC_STATIC \
		-c utf8proc.c -o $(here)/utf8proc.o
	rm -f $@
	$(AR) rcs $@ utf8proc.o
