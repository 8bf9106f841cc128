// Linked into the static programs only; it has no interface of its own.
#pragma once
