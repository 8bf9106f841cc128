/// A manifest as read from a file, with what a person should know of it.
public struct DecodedManifest: Sendable {
  /// The manifest: decoded and valid.
  public var manifest: ModuleManifest
  /// What is odd but no fault, in file order; a count stands for unknown keys beyond
  /// `ManifestDecoder.warningLimit`.
  public var warnings: [ManifestWarning]
  /// The whole document, unknown keys included, in RFC 8785 canonical form: what is hashed at registration.
  public var canonicalBytes: [UInt8]

  /// Makes a decoded manifest.
  public init(manifest: ModuleManifest, warnings: [ManifestWarning] = [], canonicalBytes: [UInt8]) {
    self.manifest = manifest
    self.warnings = warnings
    self.canonicalBytes = canonicalBytes
  }
}

/// Something odd in a manifest that does not keep it from being loaded.
public struct ManifestWarning: Sendable, Hashable {
  /// RFC 6901 pointer; empty for the whole document.
  public var pointer: String
  /// 1-based.
  public var line: Int
  /// 1-based, in Unicode scalars.
  public var column: Int
  /// One line for people.
  public var text: String

  /// Makes a warning.
  public init(pointer: String, line: Int, column: Int, text: String) {
    self.pointer = pointer
    self.line = line
    self.column = column
    self.text = text
  }
}

/// Reads manifest files: dialect, then shape in the order of SPEC §1's tables, then `ManifestValidator`.
public enum ManifestDecoder {
  /// Unknown keys described of one file; the rest are counted.
  public static let warningLimit = 20

  /// Reads one file. Throws its first fault, with pointer, line and column; traps for no bytes.
  /// `file` is the last component of its path.
  public static func decode(bytes: [UInt8], file: String) throws(ManifestFault) -> DecodedManifest {
    let document: JSONDocument
    do throws(JSONFault) {
      document = try JSONParser.parse(bytes, limits: .manifest)
    } catch {
      throw ManifestFault(error, file: file)
    }
    var reader = ManifestReader()
    let manifest: ModuleManifest
    do throws(JSONFault) {
      manifest = try reader.manifest(JSONCursor(document.root))
      if let (pointer, reason) = ManifestValidator.firstFault(of: manifest) {
        throw JSONFault(offset: document.root.offset(at: pointer), pointer: pointer, reason: reason)
      }
    } catch {
      throw ManifestFault(document.locating(error), file: file)
    }
    return DecodedManifest(
      manifest: manifest, warnings: warnings(reader, document),
      canonicalBytes: JSONCanonical.encode(document.root))
  }

  /// Decodes a manifest that came by another way than a file; nothing is validated here.
  public static func decode(value: JSONValue) throws(JSONFault) -> ModuleManifest {
    var reader = ManifestReader()
    return try reader.manifest(JSONCursor(value))
  }

  private static func warnings(_ reader: ManifestReader, _ document: JSONDocument) -> [ManifestWarning] {
    var warnings: [ManifestWarning] = []
    func warnOfFile(_ text: String) {
      warnings.append(ManifestWarning(pointer: "", line: 1, column: 1, text: text))
    }
    if document.hadByteOrderMark { warnOfFile("the file begins with a byte order mark; remove it") }
    for oddity in reader.oddities.sorted(by: { $0.offset < $1.offset }) {
      let place = document.position(of: oddity.offset)
      warnings.append(
        ManifestWarning(
          pointer: oddity.pointer, line: place.line, column: place.column, text: oddity.reason))
    }
    if reader.unlisted > 0 { warnOfFile("\(reader.unlisted) more unknown keys") }
    return warnings
  }
}

extension ManifestFault {
  /// A fault of the text as a fault of the file.
  init(_ fault: JSONFault, file: String) {
    self.init(
      file: file, pointer: fault.pointer, line: fault.line, column: fault.column, reason: fault.reason)
  }
}
