import CCurl
import ForsettiCore
import ForsettiIPC
import Glibc

/// An exchange under way: libcurl's handle, and how far the answer has come. What arrives is said at once, as far as
/// the window lets it; nothing of the body is kept.
final class Transfer {
  /// Of one answer all together, in bytes.
  private static let largestHeaders = 32 << 10
  private static let mostHeaders = 256

  let number: UInt64
  private let exchange: HTTPExchange
  private let say: (NetworkAnswer) -> Bool
  private var easy: UnsafeMutableRawPointer?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var pins: UnsafeMutablePointer<curl_slist>?
  private var headers: [HTTPField] = []
  private var headerBytes = 0
  private var hasSaidHead = false
  private var bodyBytes = 0
  /// What is left of the window.
  private var credit = NetworkWindow.bytes
  private var isPaused = false
  /// What ended it on our side, before libcurl's own word.
  private var fault: HTTPFault?
  private var refused: IPAddress?

  /// Makes an exchange of this number.
  /// - Parameter say: passes on what is said about it; false where that can't be.
  init(_ number: UInt64, _ exchange: HTTPExchange, say: @escaping (NetworkAnswer) -> Bool) {
    self.number = number
    self.exchange = exchange
    self.say = say
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(lines)
    curl_slist_free_all(pins)
  }

  /// Makes the handle; `nil` where there is no memory, or libcurl lacks something we rest on.
  /// - Parameter authorities: certificates in PEM instead of the system's.
  func prepare(authorities: [UInt8]?) -> UnsafeMutableRawPointer? {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    if let authorities, !Self.trust(authorities, easy) { return nil }
    return setRequest(easy) && setFences(easy) && setCallbacks(easy) ? easy : nil
  }

  private static func trust(_ authorities: [UInt8], _ easy: UnsafeMutableRawPointer) -> Bool {
    authorities.withUnsafeBytes {
      ccurl_set_copy(easy, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) == CURLE_OK
    }
  }

  /// Lets more of the body come.
  func grant(_ bytes: Int) {
    credit = min(credit &+ bytes, NetworkWindow.bytes)
    guard isPaused else { return }
    isPaused = false
    // What it holds back comes within this call.
    curl_easy_pause(easy, CURLPAUSE_CONT)
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
    let texts: [(CURLoption, String)] = [
      (CURLOPT_PROTOCOLS_STR, "https,http"), (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),
    ]
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NETRC, 0), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
      // What was checked is what is asked for, and a paused answer waits in the host's window, not in ours.
      (CURLOPT_PATH_AS_IS, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // A connection, and a name, once allowed to one module is not allowed to the next.
      (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1), (CURLOPT_DNS_CACHE_TIMEOUT, 0),
      // A resolver that hangs holds up its own request alone.
      (CURLOPT_QUICK_EXIT, 1), (CURLOPT_TIMEOUT_MS, exchange.timeoutMilliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, exchange.timeoutMilliseconds),
    ]
    for (option, text) in texts {
      guard ccurl_set_text(easy, option, text) == CURLE_OK else { return false }
    }
    for (option, number) in numbers {
      guard ccurl_set_long(easy, option, number) == CURLE_OK else { return false }
    }
    for pin in exchange.pinned { pins = curl_slist_append(pins, pin) }
    return ccurl_set_pointer(easy, CURLOPT_RESOLVE, pins) == CURLE_OK
  }

  private func setCallbacks(_ easy: UnsafeMutableRawPointer) -> Bool {
    // The loop holds the transfer for as long as the handle is in use.
    let me = Unmanaged.passUnretained(self).toOpaque()
    let codes = [
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me), ccurl_set_pointer(easy, CURLOPT_HEADERDATA, me),
      ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me),
      ccurl_set_take(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
        Transfer.take(bytes, size &* count, me) { $0.takeBody($1) }
      },
      ccurl_set_take(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
        Transfer.take(bytes, size &* count, me) { $0.takeHeader($1) }
      },
      ccurl_set_open_socket(easy) { me, _, address in
        guard let me, let address else { return CURL_SOCKET_BAD }
        return Unmanaged<Transfer>.fromOpaque(me).takeUnretainedValue().openSocket(address)
      },
    ]
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// Whatever differs from `count` ends the transfer, or pauses it.
  private static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ me: UnsafeMutableRawPointer?,
    _ body: (Transfer, UnsafeRawBufferPointer) -> Taken
  ) -> Int {
    guard let me else { return count == 0 ? 1 : 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(me).takeUnretainedValue()
    return switch body(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .all: count
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    case .nothing: count == 0 ? 1 : 0
    }
  }

  /// What became of bytes that arrived.
  private enum Taken {
    case all
    /// Kept by libcurl until there is credit again.
    case later
    /// The exchange fails.
    case nothing
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Taken {
    guard bytes.count <= exchange.responseBytes - bodyBytes else {
      fault = .bodyTooLarge
      return .nothing
    }
    // libcurl brings 16 KiB at most at a time, so a whole window always has room for it.
    let cost = NetworkWindow.cost(of: bytes.count)
    guard cost <= credit else {
      isPaused = true
      return .later
    }
    guard sayHead(), say(.body(Array(bytes))) else {
      fault = fault ?? .failed("the answer cannot be passed on")
      return .nothing
    }
    credit -= cost
    bodyBytes += bytes.count
    return .all
  }

  /// Says how the answer begins, once; false where that can't be.
  private func sayHead() -> Bool {
    guard !hasSaidHead else { return true }
    var status = 0
    ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    // The one that was connected to, of those that were tried.
    guard let text = ccurl_get_text(easy, CURLINFO_PRIMARY_IP), let address = IPAddress(String(cString: text))
    else { return false }
    hasSaidHead = say(.head(HTTPReply(status: status, headers: headers, address: address)))
    return hasSaidHead
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Taken {
    headerBytes += line.count
    guard headerBytes <= Self.largestHeaders, headers.count < Self.mostHeaders else {
      fault = .headersTooLarge
      return .nothing
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      // A status line: what came before it belonged to an interim answer, such as 103.
      if line.starts(with: "HTTP/".utf8) { headers = [] }
      return .all
    }
    // A trailer comes behind the head, and nobody asked for it.
    guard !hasSaidHead else { return .all }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
    headers.append(HTTPField(String(decoding: line[..<colon], as: UTF8.self), value.trimmedScalars))
    return .all
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let ip = Self.address(address)
    guard let ip, exchange.reach.contains(ip) else {
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

  /// What libcurl's result comes to; `nil` for an answer that is whole.
  func outcome(_ code: CURLcode) -> HTTPFault? {
    if let fault { return fault }
    guard code == CURLE_OK else { return failure(code) }
    // An answer may have no body.
    return sayHead() ? nil : .failed("the answer cannot be passed on")
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
