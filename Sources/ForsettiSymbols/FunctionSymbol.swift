/// A function of an executable, found by a place within it.
///
/// A place is a distance from where the executable's first byte lies in memory. So nobody has to know where that was,
/// and an executable that can be moved is like one that can't.
public struct FunctionSymbol: Sendable, Hashable {
  /// As the linker has it, mangled.
  public var name: String
  /// Where it begins.
  public var start: UInt64

  /// Makes a symbol.
  public init(name: String, start: UInt64) {
    self.name = name
    self.start = start
  }

  /// Longest name that is read; a longer one is none.
  public static let longestName = 4_096

  /// Finds the function around each place. A hostile file gives wrong names or none.
  /// - Returns: one for each place, in their order; `nil` for one in no function that has a name and a size.
  public static func around(_ places: [UInt64], in file: FileReader) -> [FunctionSymbol?] {
    guard let image = ELFImage(file) else { return [FunctionSymbol?](repeating: nil, count: places.count) }
    let addresses = places.map { $0 &+ image.origin }
    var found: [UInt64: FunctionSymbol] = [:]
    for table in SymbolTable.all(of: image) {
      let missing = Set(addresses).subtracting(found.keys)
      if missing.isEmpty { break }
      found.merge(table.functions(around: missing.sorted(), in: file)) { known, _ in known }
    }
    return addresses.map { address in
      found[address].map { FunctionSymbol(name: $0.name, start: $0.start &- image.origin) }
    }
  }
}
