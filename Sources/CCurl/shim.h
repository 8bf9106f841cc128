#pragma once
#include <curl/curl.h>

// Variadic functions and a union, which Swift can't import.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_copy(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}
typedef size_t (*ccurl_take)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode ccurl_set_take(CURL *easy, CURLoption option, ccurl_take value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
// NULL where it is not known. It belongs to the handle.
static inline const char *ccurl_get_text(CURL *easy, CURLINFO info) {
  char *value = 0;
  return curl_easy_getinfo(easy, info, &value) ? 0 : value;
}
// The next transfer that ended, and how; NULL when there is none.
static inline CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  if (!message) return 0;
  *result = message->data.result;
  return message->easy_handle;
}
