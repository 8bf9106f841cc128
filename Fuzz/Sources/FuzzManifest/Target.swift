import ForsettiCore
import FuzzDriver
import Glibc

/// A manifest file: a fault with a place, or a manifest whose own JSON is read as the same manifest.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = Array(UnsafeBufferPointer.input(start, count))
        guard let decoded = try? ManifestDecoder.decode(bytes: bytes, file: "fuzz.json") else { return 0 }
        let text = JSONWriter.bytes(decoded.manifest.jsonValue)
        let again = try? ManifestDecoder.decode(bytes: text, file: "again.json")
        precondition(again?.manifest == decoded.manifest, "a manifest is not its own JSON again")
        let canonical = try? ManifestDecoder.decode(bytes: decoded.canonicalBytes, file: "canonical.json")
        precondition(
          canonical?.canonicalBytes == decoded.canonicalBytes, "the canonical form is not canonical")
        return 0
      })
  }
}
