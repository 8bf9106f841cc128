import CCurl
import ForsettiCore
import Glibc

/// A request under way: libcurl's handle, what has arrived, and who waits.
// @unchecked: after the engine has taken it over under its lock, the engine's thread alone touches it.
final class HTTPTransfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPReply, HTTPFault>

  /// Of one answer all together, in bytes.
  private static let largestHeaders = 32 << 10
  private static let mostHeaders = 256

  let number: UInt64
  private let exchange: HTTPExchange
  private let waiting: CheckedContinuation<Outcome, Never>
  private(set) var easy: UnsafeMutableRawPointer?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var pins: UnsafeMutablePointer<curl_slist>?
  private var reply = HTTPReply()
  private var headerBytes = 0
  /// What ended it on our side, before libcurl's own word.
  private var fault: HTTPFault?
  private var refused: IPAddress?

  init(_ number: UInt64, _ exchange: HTTPExchange, _ waiting: CheckedContinuation<Outcome, Never>) {
    self.number = number
    self.exchange = exchange
    self.waiting = waiting
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(lines)
    curl_slist_free_all(pins)
  }

  /// Answers who waits; once.
  func finish(_ outcome: Outcome) { waiting.resume(returning: outcome) }

  /// Makes the handle; `nil` where there is no memory, or libcurl lacks something we rest on.
  func prepare() -> UnsafeMutableRawPointer? {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    return setRequest(easy) && setFences(easy) && setCallbacks(easy) ? easy : nil
  }

  private func setRequest(_ easy: UnsafeMutableRawPointer) -> Bool {
    // No "Expect: 100-continue", which costs a round trip, and no Accept-Encoding, so that no answer swells.
    var codes = [ccurl_set_text(easy, CURLOPT_URL, exchange.url)]
    lines = curl_slist_append(nil, "Expect:")
    for field in exchange.headers {
      // libcurl's way to say that a field is there and empty.
      lines = curl_slist_append(
        lines, field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
    }
    codes.append(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines))
    switch NetworkMethod(rawValue: exchange.method) {
    case .head: codes.append(ccurl_set_long(easy, CURLOPT_NOBODY, 1))
    case .post, .put, .patch: codes += setBody(easy)
    case _ where !exchange.body.isEmpty: codes += setBody(easy)
    case .get: break
    default: codes.append(ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, exchange.method))
    }
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// A body, even an empty one, with its length.
  private func setBody(_ easy: UnsafeMutableRawPointer) -> [CURLcode] {
    let size = ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(exchange.body.count))
    let fields =
      exchange.body.isEmpty
      ? ccurl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
      : exchange.body.withUnsafeBytes {
        ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
    return [size, fields, ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, exchange.method)]
  }

  private func setFences(_ easy: UnsafeMutableRawPointer) -> Bool {
    let texts: [(CURLoption, String?)] = [
      (CURLOPT_PROTOCOLS_STR, "https,http"), (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),
      (CURLOPT_CAINFO, exchange.authorities),
    ]
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NETRC, 0), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
      // A connection, and a name, once allowed to one module is not allowed to the next.
      (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1), (CURLOPT_DNS_CACHE_TIMEOUT, 0),
      // A resolver that hangs holds up its own request alone.
      (CURLOPT_QUICK_EXIT, 1), (CURLOPT_TIMEOUT_MS, exchange.timeoutMilliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, exchange.timeoutMilliseconds),
    ]
    for (option, text) in texts where text != nil {
      guard ccurl_set_text(easy, option, text) == CURLE_OK else { return false }
    }
    for (option, number) in numbers {
      guard ccurl_set_long(easy, option, number) == CURLE_OK else { return false }
    }
    for pin in exchange.pinned { pins = curl_slist_append(pins, pin) }
    return ccurl_set_pointer(easy, CURLOPT_RESOLVE, pins) == CURLE_OK
  }

  private func setCallbacks(_ easy: UnsafeMutableRawPointer) -> Bool {
    // The engine holds the transfer for as long as the handle is in use.
    let me = Unmanaged.passUnretained(self).toOpaque()
    let codes = [
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me), ccurl_set_pointer(easy, CURLOPT_HEADERDATA, me),
      ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me),
      ccurl_set_take(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
        HTTPTransfer.take(bytes, size &* count, me) { $0.takeBody($1) }
      },
      ccurl_set_take(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
        HTTPTransfer.take(bytes, size &* count, me) { $0.takeHeader($1) }
      },
      ccurl_set_open_socket(easy) { me, _, address in
        guard let me, let address else { return CURL_SOCKET_BAD }
        return Unmanaged<HTTPTransfer>.fromOpaque(me).takeUnretainedValue().openSocket(address)
      },
    ]
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// Whatever differs from `count` ends the transfer.
  private static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ me: UnsafeMutableRawPointer?,
    _ body: (HTTPTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let me else { return count == 0 ? 1 : 0 }
    let transfer = Unmanaged<HTTPTransfer>.fromOpaque(me).takeUnretainedValue()
    return body(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : (count == 0 ? 1 : 0)
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= exchange.responseBytes - reply.body.count else {
      fault = .bodyTooLarge
      return false
    }
    reply.body.append(contentsOf: bytes)
    return true
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    guard headerBytes <= Self.largestHeaders, reply.headers.count < Self.mostHeaders else {
      fault = .headersTooLarge
      return false
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      // A status line: what came before it belonged to an interim answer, such as 103.
      if line.starts(with: "HTTP/".utf8) { reply.headers = [] }
      return true
    }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
    reply.headers.append(HTTPField(String(decoding: line[..<colon], as: UTF8.self), value.trimmedScalars))
    return true
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let ip = Self.address(address)
    guard let ip, exchange.mayConnect(ip) else {
      refused = ip ?? IPAddress(bytes: [0, 0, 0, 0])
      return CURL_SOCKET_BAD
    }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  private static func address(_ address: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    // A copy, as the storage behind curl_sockaddr is as long as its address, which its type doesn't say.
    let length = Int(address.pointee.addrlen)
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
    let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + offset, count: length)
    switch address.pointee.family {
    case AF_INET where length >= MemoryLayout<sockaddr_in>.size: return IPAddress(bytes: Array(bytes[4..<8]))
    case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
      return IPAddress(bytes: Array(bytes[8..<24]))
    default: return nil
    }
  }

  /// What libcurl's result comes to.
  func outcome(_ code: CURLcode) -> Outcome {
    if let fault { return .failure(fault) }
    guard code == CURLE_OK else { return .failure(failure(code)) }
    var status = 0
    ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    reply.status = status
    return .success(reply)
  }

  private func failure(_ code: CURLcode) -> HTTPFault {
    let words = String(cString: curl_easy_strerror(code))
    switch code {
    case CURLE_COULDNT_CONNECT: return refused.map { .refusedAddress($0) } ?? .unreachable
    case CURLE_COULDNT_RESOLVE_HOST: return .unresolved
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return .insecure(words)
    default: return .failed(words)
    }
  }
}
