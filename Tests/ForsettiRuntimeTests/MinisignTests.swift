import ForsettiCore
import Testing

@testable import ForsettiRuntime

/// Signatures that minisign 0.11 made, and what becomes of them when a byte is changed.
@Suite("Minisign signatures") struct MinisignTests {
  static let key = "RWS4K92WSvi1VVdM2JR2gSez76g9MsBTpdXEyVKc0h5eAxxupLM3mY16"
  private static let otherKey = "RWQpJG9h5VozsQBmqvGypGm+6nrGpudLS9zkpsOveRtMH+osUVKqeR9k"

  static let prehashed = """
    untrusted comment: signature from minisign secret key
    RUS4K92WSvi1VYJ9LIjWBLqPWhUupu94wfb6513QseQCbbwMyumxsdGWu4UOQshY7uQnPpOMqFhbDtv+W6hLPwrUmycqNWAU5As=
    trusted comment: timestamp:1796014133\tfile:st
    +IUCJcinMihiQzhAMcUh8z/fw3C32XbrK5xCicP1nnW3bYCYseMhTZn1cRL5+MnQ2CqochvZBEm4q+r9yDivAQ==

    """
  static let legacy = """
    untrusted comment: signature from minisign secret key
    RWS4K92WSvi1VT03I5TwClm9vIOt1VyQ08mhxLjoV948+LVBvQP6FiX7gljKaATga6vxKzeUlxP6A4jYFRQL/XwMPVcAlBfntwE=
    trusted comment: legacy
    cgDBWus9IsaBxhERqZnJT7hCToacXNSDF9JZ1np3D9VGpymldHsAOFD4I5YEgiZHXds+uNbNWYp/jXign9g8CA==

    """

  static let statement = BundleStatement(
    moduleID: "com.example.meter", version: SemVer(major: 1, minor: 2, patch: 0),
    manifestSHA256: String(repeating: "a", count: 64), executableSHA256: String(repeating: "b", count: 64))

  private func fault(
    _ signature: String, of statement: BundleStatement = statement, by key: String = key
  ) throws -> MinisignFault? {
    let key = try #require(MinisignKey(key))
    do throws(MinisignFault) {
      try MinisignSignature(Array(signature.utf8)).verify(Array(statement.text.utf8), by: key)
      return nil
    } catch { return error }
  }

  @Test("both of minisign's formats hold, with line ends of either kind", arguments: [prehashed, legacy])
  func good(signature: String) throws {
    #expect(try fault(signature) == nil)
    #expect(try fault(signature.replacing("\n", with: "\r\n")) == nil)
    #expect(try fault(String(signature.dropLast())) == nil)
  }

  @Test("a signature is of one ID, version, manifest and executable", arguments: [prehashed, legacy])
  func statement(signature: String) throws {
    let changes: [(inout BundleStatement) -> Void] = [
      { $0.moduleID = "com.example.meters" }, { $0.version.patch = 1 }, { $0.version.prerelease = "x" },
      { $0.manifestSHA256 = String(repeating: "c", count: 64) },
      { $0.executableSHA256 = String(repeating: "c", count: 64) },
      { swap(&$0.manifestSHA256, &$0.executableSHA256) },
    ]
    for change in changes {
      var statement = Self.statement
      change(&statement)
      #expect(try fault(signature, of: statement) == .invalid)
    }
  }

  @Test("the trusted comment is signed too, the untrusted one is not")
  func comments() throws {
    #expect(try fault(Self.legacy.replacing("comment: legacy", with: "comment: legacz")) == .commentChanged)
    #expect(try fault(Self.legacy.replacing("comment: sig", with: "comment: Sig")) == nil)
  }

  @Test("another key's signature, and one that only claims this key's identifier, do not hold")
  func keys() throws {
    #expect(try fault(Self.prehashed, by: Self.otherKey) == .otherKey)
    // The identifier of the one key with the Ed25519 key of the other.
    let forged = "RWS4K92WSvi1VQ" + Self.otherKey.dropFirst(14)
    #expect(try fault(Self.prehashed, by: String(forged)) == .invalid)
  }

  @Test("a legacy signature is none in the other format") func algorithm() throws {
    #expect(try fault(Self.legacy.replacing("\nRWS", with: "\nRUS")) == .invalid)
    #expect(try fault(Self.prehashed.replacing("\nRUS", with: "\nRWS")) == .invalid)
  }

  @Test(
    "what is no signature file says so",
    arguments: [
      "", "\n\n\n\n", "untrusted comment: a\nRUS4\ntrusted comment: b\nRUS4\n",
      prehashed.replacing("untrusted", with: "trusted"), prehashed.replacing("\ntrusted", with: "\nTrusted"),
      prehashed.replacing("RUS4", with: "RXS4"), prehashed + "more\n", prehashed.replacing("As=", with: "As"),
      prehashed.replacing("AQ==", with: "AQAA"), prehashed.replacing("+IUC", with: "-IUC"),
      "untrusted comment: " + String(repeating: "x", count: 20_000),
    ])
  func malformed(text: String) throws {
    guard case .malformed? = try fault(text) else {
      Issue.record("taken for a signature")
      return
    }
  }

  @Test("a key is 42 bytes in base64 with minisign's letters") func key() {
    #expect(MinisignKey(Self.key)?.text == Self.key)
    for text in [
      "", "RWS4", Self.key + "A", "QW" + Self.key.dropFirst(2), Self.key.replacing("S4", with: "S-"),
    ] {
      #expect(MinisignKey(String(text)) == nil)
    }
  }
}
