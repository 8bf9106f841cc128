import ForsettiSymbols
import FuzzDriver
import Glibc

/// An executable: whatever it says of itself, each place gets an answer, and each name is within its bound.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = UnsafeBufferPointer.input(start, count)
        let places: [UInt64] = [0, 0x1000, 0x1100, 0x7fff_ffff_ffff, .max]
        let found = FunctionSymbol.around(places) { offset, wanted in
          Array(bytes.dropFirst(Int(clamping: offset)).prefix(wanted))
        }
        precondition(found.count == places.count, "a place without an answer")
        for symbol in found.compactMap({ $0 }) {
          precondition(symbol.name.utf8.count <= FunctionSymbol.longestName, "a name beyond its bound")
        }
        return 0
      })
  }
}
