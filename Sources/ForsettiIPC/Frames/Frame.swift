/// One complete frame, borrowed from the decoder that read it: nothing is copied.
public struct Frame: ~Escapable {
  /// The checked header.
  public let header: FrameHeader
  /// The CBOR head: what a decision needs.
  public let head: Span<UInt8>
  /// Everything after the head.
  public let payload: Span<UInt8>

  /// Puts a frame together; the caller vouches that the lengths are the header's.
  @_lifetime(copy head, copy payload)
  public init(header: FrameHeader, head: Span<UInt8>, payload: Span<UInt8>) {
    self.header = header
    self.head = head
    self.payload = payload
  }
}
