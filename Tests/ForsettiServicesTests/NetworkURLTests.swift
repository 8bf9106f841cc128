import CCurl
import ForsettiCore
import Testing

@testable import ForsettiServices

/// What a URL is taken for, here and by the library that the worker asks hosts with.
@Suite("A URL of a module") struct NetworkURLTests {
  /// The parts of a URL as libcurl reads it.
  private func parts(_ text: String) -> [String]? {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK else { return nil }
    return [
      CURLUPART_SCHEME, CURLUPART_USER, CURLUPART_HOST, CURLUPART_PORT, CURLUPART_PATH, CURLUPART_QUERY,
      CURLUPART_FRAGMENT,
    ].map { part in
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else {
        return ""
      }
      defer { curl_free(text) }
      return String(cString: text)
    }
  }

  @Test(
    "is read by libcurl as it was read here, once it has its canonical form",
    arguments: [
      "http://a.test", "HTTP://A.Test/", "https://a.test:443/x", "https://a.test:8443", "http://a.test:/x",
      "http://a.test?q", "http://a.test?q=a/b?c", "http://a.test/?", "http://a.test/a/./b/../c",
      "http://a.test/../..", "http://a.test/a/..", "http://a.test/.", "http://a.test//b//",
      "http://a.test/%2e%2e/x",
      "http://a.test/a;b=c@d:e", "http://a.test/#f", "http://a.test/x#f?q", "http://a.test#@b.test/",
      "http://[::1]/", "http://[::FFFF:1.2.3.4]:81/x", "http://127.1/", "http://0x7f.0.0.1/",
      "http://017700000001",
      "http://4294967295/", "http://1.2.3.4:5/", "http://a_b.test/", "http://xn--a.test/", "http://a.test./",
      "http://a.test/\\x", "http://a.test/{}|^`\"<>",
    ])
  func canonical(text: String) throws {
    let url = try NetworkURL(text)
    let found = try #require(parts(url.text), "\(url.text)")
    let cut = url.target.firstIndex(of: "?") ?? url.target.endIndex
    let query = String(url.target[cut...].dropFirst())
    #expect(
      found == [url.scheme.rawValue, "", url.host, "\(url.port)", String(url.target[..<cut]), query, ""])
    // It is its own canonical form.
    #expect(try NetworkURL(url.text) == url)
  }

  @Test(
    "has one form, whatever it was written like",
    arguments: [
      ("HTTP://A.Test", "http://a.test/"), ("http://a.test:80/x#f", "http://a.test/x"),
      ("https://a.test:80/", "https://a.test:80/"), ("http://a.test?q", "http://a.test/?q"),
      ("http://a.test/a/./b/../c", "http://a.test/a/c"), ("http://a.test/../..", "http://a.test/"),
      ("http://a.test/a/..", "http://a.test/"), ("http://a.test/a/.", "http://a.test/a/"),
      ("http://a.test/a//../b", "http://a.test/a/b"), ("http://0x7f.1", "http://127.0.0.1/"),
      ("http://0300.0250.1.1/", "http://192.168.1.1/"), ("http://1.2.65535/", "http://1.2.255.255/"),
    ])
  func form(text: String, expected: String) throws { #expect(try NetworkURL(text).text == expected) }

  @Test(
    "that is none is refused",
    arguments: [
      "a.test/echo", "http:a.test", "http:/a.test", "http:///a.test", "http://", "http://?q", "http://#f",
      "http://a b/", "http://a.test:x/", "http://a.test:-1/", "http://a.test:+80/", "http://a.test:080000/",
      "http://a.test:65536/", "http://[::1", "http://[]/", "http://[1.2.3.4]/", "http://[::1]x/",
      "http://[::1%25lo]/", "http://[v1.a]/", "http://256.1.1.1/", "http://1.2.3.4.5/", "http://0x/",
      "http://08/", "http://1.2.3.0x1000/", "http://4294967296/", "http://a.1b/", "http://1..2/",
      "http://a\\b/",
      "http://a%41/", "http://u@a.test/", "http://@a.test/", "http://a.test@b.test/", "ftp://a.test/",
      "javascript:alert(1)", "1http://a.test/", ":", "://a.test", "http://a.test/\u{e9}",
    ])
  func refused(text: String) { #expect(throws: NetworkURL.Fault.self) { try NetworkURL(text) } }

  /// RFC 3986 §5.4, as far as it is http and has a path.
  @Test(
    "that is relative is where RFC 3986 says",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
      ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"),
      ("g;x", "/b/c/g;x"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"),
      ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"),
      ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."),
      ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
      ("g;x=1/./y", "/b/c/g;x=1/y"), ("g?y/../x", "/b/c/g?y/../x"),
    ])
  func relative(text: String, target: String) throws {
    let base = try NetworkURL("http://a/b/c/d;p?q")
    #expect(try NetworkURL(text, relativeTo: base).text == "http://a" + target)
  }

  @Test("that is relative may lead to another host, and to no other scheme by half") func elsewhere() throws {
    let base = try NetworkURL("https://a/b")
    #expect(try NetworkURL("//c.test/d", relativeTo: base).text == "https://c.test/d")
    #expect(try NetworkURL("http://c.test", relativeTo: base).text == "http://c.test/")
    for text in ["https:c", "http:/c", "file:///c", "mailto:c"] {
      #expect(throws: NetworkURL.Fault.self) { try NetworkURL(text, relativeTo: base) }
    }
  }
}
