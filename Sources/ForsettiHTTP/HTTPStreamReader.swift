import CMicroHTTPD
import Glibc

/// A stream on its way out: pieces of any length, handed over in pieces as long as the library asks for. Only the thread
/// of its connection knows it.
final class HTTPStreamReader {
  private let stream: any HTTPStream
  private let didEnd: @Sendable (any HTTPStream) -> Void
  private var rest: ArraySlice<UInt8> = []

  /// - Parameter didEnd: called when nothing more is read, whatever the reason.
  init(_ stream: any HTTPStream, didEnd: @escaping @Sendable (any HTTPStream) -> Void) {
    self.stream = stream
    self.didEnd = didEnd
  }

  deinit {
    stream.cancel()
    didEnd(stream)
  }

  /// An answer that reads this stream and owns this reader; `nil` where there is no memory for it.
  func makeResponse() -> OpaquePointer? {
    let reference = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      cmicrohttpd_size_unknown, 16_384,
      { context, _, bytes, capacity in
        guard let context, let bytes else { return -1 }
        let reader = Unmanaged<HTTPStreamReader>.fromOpaque(context).takeUnretainedValue()
        return reader.read(UnsafeMutableRawBufferPointer(start: bytes, count: capacity))
      }, reference.toOpaque(),
      { context in
        if let context { Unmanaged<HTTPStreamReader>.fromOpaque(context).release() }
      })
    if response == nil { reference.release() }
    return response
  }

  /// MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast.
  private static let endOfStream = -1
  /// MHD_CONTENT_READER_END_WITH_ERROR, another.
  private static let endWithError = -2

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      guard let piece = stream.next(), !piece.isEmpty else {
        return stream.isWhole ? Self.endOfStream : Self.endWithError
      }
      rest = piece[...]
    }
    let count = min(buffer.count, rest.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
}
