# Forsetti. `make run` boots the strict set; `make test` builds and runs every test. The README has the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: umask build children run demo test test-kill readme-test crash-test venv lint fuzz sanitize bench bench-build bench-floors bench-peers bench-activation \
  bench-search bench-console examples install site deb deb-test try-kernel deps deps-test deps-bench deps-deb deps-site deps-kernel \
  swift clean help

SWIFT ?= swift
POLICY ?= policy/strict.json
ARGS ?=
BIN := .build/release

# What the build links, and what a bare Debian lacks that the Swift toolchain counts on.
PACKAGES := libseccomp-dev libsqlite3-dev libsodium-dev libcurl4-openssl-dev libmicrohttpd-dev binutils libc6-dev libgcc-12-dev libstdc++-12-dev \
  libncurses6 libxml2
TEST_PACKAGES := chromium chromium-driver python3-venv minisign openssl patch git systemd zsh fish python3-seccomp golang-github-containers-common groff-base
BENCH_PACKAGES := bubblewrap
DEB_PACKAGES := chrpath debhelper dpkg-dev lintian
SITE_PACKAGES := pandoc
KERNEL_PACKAGES := qemu-system-x86 busybox-static cpio attr jq

# What is shipped: products of Package.swift. build, install and the Debian package follow these two lines.
PROGRAMS := forsetti-supervisor
HELPERS := forsetti-module-host forsetti-syscall-probe forsetti-symbolizer forsetti-network-worker forsetti-console
# What crash-test runs: a Debian package of its own, in a folder of its own.
HOSTILE := forsetti-hostile-host forsetti-hostile-probe

# $(call install,PACKAGES): nothing is run when all are there; sudo is for apt-get alone.
install = @missing=(); \
  for package in $(1); do \
    [ "$$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null || true)" = installed ] \
      || missing+=("$$package"); \
  done; \
  if [ "$${\#missing[@]}" -gt 0 ]; then \
    sudo=(); if [ "$$(id -u)" -ne 0 ]; then \
      sudo=(sudo); \
      command -v sudo >/dev/null || { \
        echo "Debian packages are missing, and there is no sudo to install them with. As root:" >&2; \
        echo "  apt-get update && apt-get install --no-install-recommends $${missing[*]}" >&2; \
        exit 69; }; \
    fi; \
    echo "Installing Debian packages: $${missing[*]}"; \
    "$${sudo[@]}" apt-get update -qq; \
    "$${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "$${missing[@]}"; \
  fi

# $(call written-anew,PROGRAM): in one go, as an installation does, so that it lies in large pages of the page cache; as the
# linker leaves it, every start costs page faults worth a tenth of an activation.
written-anew = cp -p $(BIN)/$(1) $(BIN)/$(1).new && mv -f $(BIN)/$(1).new $(BIN)/$(1)

## build: what is shipped, optimised
build: deps swift
	@for product in $(PROGRAMS) $(HELPERS); do $(SWIFT) build -c release --product "$$product"; done
	@$(call written-anew,forsetti-module-host)

## install: what was built, below PREFIX (make install PREFIX=/usr DESTDIR=/tmp/package); builds nothing
PREFIX ?= /usr/local
DESTDIR ?=
UNITS ?= $(PREFIX)/lib/systemd/system
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions
ROOT := $(DESTDIR)$(PREFIX)
# $(call put,MODE,FILES,FOLDER)
put = install -d -m 755 "$(3)" && install -m $(1) $(2) "$(3)"
install:
	@for program in $(PROGRAMS) $(HELPERS); do \
	  [ -x "$(BIN)/$$program" ] || { echo "$$program is not built yet: run make build first" >&2; exit 69; }; done
	$(call put,755,$(PROGRAMS:%=$(BIN)/%),$(ROOT)/bin)
	$(call put,755,$(HELPERS:%=$(BIN)/%),$(ROOT)/libexec/forsetti)
	@if (for program in $(HOSTILE); do [ -x "$(BIN)/$$program" ] || exit 1; done); then $(call put,755,$(HOSTILE:%=$(BIN)/%),$(ROOT)/libexec/forsetti-crash-test); \
	  else echo "The hostile modules of crash-test are left out: make children builds them"; fi
	$(call put,644,Resources/ForsettiManifests/*.json,$(ROOT)/share/forsetti/manifests)
	$(call put,644,Resources/Schemas/*.json,$(ROOT)/share/forsetti/schemas)
	$(call put,644,$(filter-out policy/demo.json,$(wildcard policy/*.json)),$(ROOT)/share/forsetti/policy)
	sed -i 's|"\.\./Resources/Schemas/|"../schemas/|' "$(ROOT)"/share/forsetti/policy/*.json
	$(call put,644,docs/man/*.1,$(ROOT)/share/man/man1)
	$(call put,644,docs/man/*.5,$(ROOT)/share/man/man5)
	$(call put,644,LICENSE,$(ROOT)/share/doc/forsetti)
	@if [ -d $(SITE) ]; then $(call put,644,$(SITE)/*,$(ROOT)/share/doc/forsetti/html); \
	  else echo "The documentation is left out: make site makes it"; fi
	$(call put,644,packaging/forsetti-supervisor.service packaging/forsetti-supervisor.socket packaging/forsetti-console.socket,$(DESTDIR)$(UNITS))
	sed -i 's|^\(Exec[A-Za-z]*\)=/usr/bin/|\1=$(PREFIX)/bin/|' "$(DESTDIR)$(UNITS)/forsetti-supervisor.service"
	install -D -m 644 packaging/forsetti.sysusers "$(ROOT)/lib/sysusers.d/forsetti.conf"
	install -D -m 644 packaging/forsetti.tmpfiles "$(ROOT)/lib/tmpfiles.d/forsetti.conf"
	install -D -m 644 packaging/forsetti-supervisor.bash \
	  "$(ROOT)/share/bash-completion/completions/forsetti-supervisor"
	install -D -m 644 packaging/forsetti-supervisor.zsh "$(DESTDIR)$(ZSH_FUNCTIONS)/_forsetti-supervisor"
	install -D -m 644 packaging/forsetti-supervisor.fish \
	  "$(ROOT)/share/fish/vendor_completions.d/forsetti-supervisor.fish"

## site: the documentation as HTML that is read from the disk, in .build/site
SITE := .build/site
site: deps-site
	@packaging/site/build.py $(SITE)

## deb: what was built and its documentation as Debian packages, held to lintian, in .build/deb
DEB := .build/deb
deb: build children site deps-deb
	@rm -rf $(DEB) && mkdir -p $(DEB)/source
	cp -R packaging/debian $(DEB)/source/
	cd $(DEB)/source && dpkg-buildpackage --build=binary --no-sign > ../log 2>&1 || { tail -40 ../log >&2; exit 70; }
	lintian --fail-on error,warning $(DEB)/*.changes
	@ls -sh $(DEB)/*.deb

## deb-test: installs, boots, proves by crash-test, removes and purges the packages in a bare Debian below /tmp (as root, after make deb)
deb-test:
	$(call install,debootstrap systemd-container)
	packaging/try-deb $(DEB)/*.deb

## readme-test: make run and make test in a bare Debian below /tmp that lacks their packages (as root; ARGS="--filter CoreTests" narrows it)
readme-test:
	$(call install,debootstrap)
	packaging/try-readme $(ARGS)

# The supervisor refuses files that others may write; say so before a long build, not after it.
umask:
	@if [ -n "$$(find . policy Resources -maxdepth 0 -perm /022)" ]; then \
	  echo "This checkout may be changed by others (a clone made under umask 002?); mend: chmod -R go-w $(CURDIR)" >&2; \
	  exit 77; fi

## run: install what is missing, build, boot the strict set and stay up (ARGS="--log-level debug" adds options)
run: umask build
	@exec $(BIN)/forsetti-supervisor run --policy $(POLICY) $(ARGS)

## demo: a made-up Jamf Pro server, the supervisor before it, and the web console, until Ctrl-C (docs/demo.md)
demo: umask build
	$(SWIFT) build -c release --product jamf-simulator
	@exec demo/run $(BIN)

## test: build everything, debug and release, and run all tests
test: umask deps-test build children examples venv site
	$(SWIFT) build --build-tests
	.venv/bin/python Tests/Python/validate_schemas.py
	.venv/bin/python Tests/Python/check_links.py $(SITE)
	@# Hundreds of tests at once, each with its pipes and processes, need more than the usual 1,024 descriptors.
	ulimit -Sn "$$(ulimit -Hn)"; $(SWIFT) test --skip-build --no-parallel $(ARGS)

## crash-test: hostile modules beside yours, and whether isolation held (POLICY=FILE, ARGS="--seconds 60 --seed 7")
crash-test: umask build children
	@$(BIN)/forsetti-supervisor crash-test --policy $(POLICY) $(ARGS)

## try-kernel: boots the kernel of Debian 12 in a virtual machine and tries what was built, cgroup limits among it (after make build children)
try-kernel: deps-kernel
	@Tests/Kernel/run $(BIN)

## test-kill: kill -9 of a supervisor whose modules call without end, KILL_ROUNDS times (after make test)
KILL_ROUNDS ?= 100
test-kill: deps swift
	$(SWIFT) build --build-tests
	FORSETTI_KILL_ROUNDS=$(KILL_ROUNDS) $(SWIFT) test --skip-build --filter KillTests/underLoad

## examples: the modules of docs/third-party.md as bundles, in .build/examples
EXAMPLES := .build/examples
examples: deps swift
	$(SWIFT) build -c release --package-path Examples/ThirdPartyModule
	@mkdir -p $(EXAMPLES)/com.example.meter $(EXAMPLES)/com.example.c-module
	cp Examples/ThirdPartyModule/manifest.json $(EXAMPLES)/com.example.meter/manifest.json
	cp Examples/ThirdPartyModule/.build/release/MeterModule $(EXAMPLES)/com.example.meter/module
	cp Examples/c-module/manifest.json $(EXAMPLES)/com.example.c-module/manifest.json
	clang -static -O2 -Wall -Wextra -Werror -o $(EXAMPLES)/com.example.c-module/module Examples/c-module/module.c

# The hostile programs, optimised: the sandbox must hold both builds.
children: deps swift
	@for product in $(HOSTILE); do $(SWIFT) build -c release --product "$$product"; done

## venv: the Python side of the protocol tests, in .venv
venv: .venv/installed
.venv/installed: $(wildcard Tests/Python/requirements.txt)
	python3 -m venv .venv
	$(if $^,.venv/bin/pip install --quiet --disable-pip-version-check -r $^,)
	@touch $@

## lint: the toolchain's own formatter, strict
lint: swift
	$(SWIFT) format lint --strict -r Sources Tests Fuzz/Sources Fuzz/Package.swift Package.swift \
	  Examples/ThirdPartyModule/Sources Examples/ThirdPartyModule/Package.swift

## fuzz: coverage-guided fuzzing of all that reads bytes of others, FUZZ_SECONDS each; findings stay in Fuzz/findings
FUZZ_SECONDS ?= 60
fuzz: deps swift
	$(SWIFT) build --package-path Fuzz -c release -Xswiftc -sanitize=fuzzer
	@mkdir -p Fuzz/findings
	@for target in Frames CBOR Manifest Policy Symbols Control OCI; do \
	  corpus=Fuzz/.build/corpus/$${target,,}; mkdir -p "$$corpus"; echo "Fuzz$$target, $(FUZZ_SECONDS) s:"; \
	  Fuzz/.build/release/Fuzz$$target -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 -timeout=5 \
	    -print_final_stats=1 -artifact_prefix=Fuzz/findings/$${target,,}- "$$corpus" "Fuzz/Corpus/$${target,,}" \
	    > Fuzz/.build/log 2>&1 || { tail -40 Fuzz/.build/log; exit 1; }; \
	  grep number_of_executed Fuzz/.build/log; \
	done
	@rmdir --ignore-fail-on-non-empty Fuzz/findings

## sanitize: the unit tests under the address sanitizer, then the thread sanitizer
SANITIZED := --filter ForsettiCoreTests --filter ForsettiIPCTests --filter ForsettiSandboxTests
sanitize: export FORSETTI_SANITIZE := 1
# What Swift makes once and keeps for ever (a static let) is no leak.
sanitize: export ASAN_OPTIONS := detect_leaks=0
sanitize: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/thread-sanitizer.txt
sanitize: deps-test swift venv
	$(SWIFT) test --no-parallel --sanitize=address --scratch-path .build/address $(SANITIZED)
	$(SWIFT) test --no-parallel --sanitize=thread --scratch-path .build/thread $(SANITIZED)

## bench: every measure beside its floor, in turn (ARGS="--measure call --rounds 9" narrows it)
bench: bench-build deps-bench
	@$(BIN)/forsetti-bench $(ARGS)

## bench-peers: this product and what one would use instead, in the same rounds (ARGS="rtt_64 fanout" narrows it)
bench-peers: bench-build
	Benchmarks/peers/setup.sh
	Benchmarks/peers/run.sh --extra Benchmarks/peers/forsetti.json $(ARGS)

## bench-console: the web console before a thousand modules, and what it costs their calls (ARGS="calls --modules 12" narrows it)
bench-console: build bench-build deps-test venv
	@.venv/bin/python Benchmarks/console.py $(BIN) $(ARGS)

bench-build: deps swift bench-floors
	$(SWIFT) build -c release --product forsetti-module-host
	$(SWIFT) build -c release --product forsetti-bench-host
	@$(call written-anew,forsetti-bench-host)
	$(SWIFT) build -c release --product forsetti-bench

# What C and the kernel cost at the least.
bench-floors: .build/bench/floors .build/bench/first-byte
.build/bench/floors: $(wildcard Benchmarks/floors/*.c) Benchmarks/floors/floors.h
	@mkdir -p .build/bench
	clang -O2 -std=gnu17 -Wall -Wextra -Werror -o $@ $(filter %.c,$^)
.build/bench/first-byte: Benchmarks/first-byte.c
	@mkdir -p .build/bench
	clang -O2 -std=gnu17 -Wall -Wextra -Werror -static -o $@ $<

## bench-activation: fork+exec, bubblewrap and our activation side by side
bench-activation: bench-build deps-bench
	@$(BIN)/forsetti-bench --measure activation $(ARGS)

## bench-search: a search of 10,000 made-up computers, from its event to the rows that are drawn (ARGS="--rounds 9")
bench-search: build venv
	$(SWIFT) build -c release --product jamf-simulator
	@.venv/bin/python Benchmarks/search.py --programs $(BIN) $(ARGS)

## deps: the Debian packages the build needs, and nothing else
deps:
	$(call install,$(PACKAGES))
# All that make test needs, so that whoever has no sudo is told once, and before the build.
deps-test:
	$(call install,$(PACKAGES) $(TEST_PACKAGES) $(SITE_PACKAGES))
deps-bench:
	$(call install,$(BENCH_PACKAGES))
deps-deb:
	$(call install,$(DEB_PACKAGES))
deps-site:
	$(call install,$(SITE_PACKAGES))
deps-kernel:
	$(call install,$(PACKAGES) $(KERNEL_PACKAGES))

swift:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "Swift 6.3 is not on PATH. With the toolchain in /opt/swift: export PATH=/opt/swift/usr/bin:\$$PATH" >&2; \
	  exit 69; }

## clean: all that was built here
clean:
	rm -rf .build .venv

help:
	@sed -n 's/^## /  make /p' Makefile
