/// Why a measurement could not be made: what, where, and the way out.
public struct BenchFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line for people.
  public var description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}
