// Foundation names these; glibc's own would need the very same glibc beside a static program, and the linker says
// so at each build. No program here looks up a user or a host: what a module would get is "no such entry".
#include <errno.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <stddef.h>

struct passwd *getpwuid(uid_t user) {
  (void)user;
  return NULL;
}

struct passwd *getpwnam(const char *name) {
  (void)name;
  return NULL;
}

int getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd **result) {
  (void)user, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return ENOENT;
}

int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **result) {
  (void)name, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return ENOENT;
}

int getgrgid_r(gid_t group, struct group *entry, char *buffer, size_t size, struct group **result) {
  (void)group, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return ENOENT;
}

int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size, struct group **result) {
  (void)name, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return ENOENT;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  (void)node, (void)service, (void)hints, (void)result;
  return EAI_NONAME;
}

void freeaddrinfo(struct addrinfo *list) { (void)list; }

// A name that exists already is how mktemp(3) says that it has none.
char *mktemp(char *template) {
  *template = '\0';
  return template;
}
