/// The first call of every connection: which versions the client speaks. It may be followed at once by others.
public enum ControlHello {
  /// Its name.
  public static let operation = "hello"
  /// The hello is call 1; a connection that is refused before it is answered so too.
  public static let callID: UInt64 = 1

  /// The versions that a client speaks.
  public struct Request: ControlRecord {
    /// The lowest.
    public var lowest = 0
    /// The highest.
    public var highest = 0
    /// What the connection is for, where that is less than its user may do: a `ControlScope`.
    public var scope: String?

    /// Says none.
    public init() {}

    /// What this build says.
    public init(_ range: ProtocolRange, scope: ControlScope? = nil) {
      lowest = Int(range.lowest)
      highest = Int(range.highest)
      self.scope = scope?.rawValue
    }

    /// All three.
    public mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("lowest", &lowest)
      try members("highest", &highest)
      try members("scope", &scope)
    }
  }
}
