/// Why a measurement could not be made: what, where, and the way out.
struct BenchFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
