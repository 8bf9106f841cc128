import ForsettiCore
import ForsettiTestKit
import Foundation
import Synchronization
import Testing

@testable import ForsettiServices

/// A clock that a test moves.
final class WallClock: Sendable {
  private let seconds = Mutex<Int64>(1_800_000_000)
  var now: Int64 { seconds.withLock { $0 * 1_000 } }
  func advance(_ by: Int64) { seconds.withLock { $0 += by } }
}

@Suite struct AuthenticationTests {
  private func segment(_ object: String) -> String { Base64URL.encode(Array(object.utf8)) }

  private func fault(_ error: any Error) -> String? {
    guard case ServiceError.failed("invalid", let message) = error else { return nil }
    return message
  }

  @Test("a module is who the supervisor says") func identity() async throws {
    let identity = try await Scratch().services().authentication(caller("a.one")).identity()
    #expect(identity.moduleID == "a.one")
    #expect(identity.displayName == "Module")
  }

  @Test("a token names the module, and any module of this supervisor can check it") func issue() async throws
  {
    let clock = WallClock()
    let scratch = try Scratch()
    let services = try await scratch.services { $0.now = { clock.now } }
    let token = try await services.authentication(caller("a.one")).issueToken(audience: "b.two", lifetime: 60)
    let claims = try await services.authentication(caller("b.two")).verify(token)
    #expect(claims["sub"] == "a.one")
    #expect(claims["aud"] == "b.two")
    #expect(claims["iss"] == "forsetti")
    #expect(claims["iat"] == "1800000000")
    #expect(claims["exp"] == "1800000060")
    #expect(Set(claims.keys) == ["iss", "sub", "aud", "iat", "exp", "jti"])
    let again = try await services.authentication(caller("a.one")).issueToken(audience: "b.two", lifetime: 60)
    #expect(try await services.authentication(caller()).verify(again)["jti"] != claims["jti"])
    let header = try #require(Base64URL.decode(token.utf8.split(separator: UInt8(ascii: "."))[0]))
    #expect(String(decoding: header, as: UTF8.self).contains(#""alg":"EdDSA""#))
    // The key is the same after a restart.
    let restarted = try await scratch.services { $0.now = { clock.now } }
    #expect(try await restarted.authentication(caller()).verify(token) == claims)
  }

  @Test("a token ends with its lifetime") func expiry() async throws {
    let clock = WallClock()
    let services = try await Scratch().services { $0.now = { clock.now } }
    let authentication = services.authentication(caller())
    let token = try await authentication.issueToken(audience: "x", lifetime: 60)
    clock.advance(59)
    _ = try await authentication.verify(token)
    clock.advance(1)
    await #expect { _ = try await authentication.verify(token) } throws: { fault($0) == "expired" }
    clock.advance(-61)
    await #expect { _ = try await authentication.verify(token) } throws: {
      fault($0) == "issued in the future"
    }
  }

  @Test("tokens of another key, another algorithm or another form are refused") func forgeries() async throws
  {
    let authentication = try await Scratch().services().authentication(caller())
    let token = try await authentication.issueToken(audience: "x", lifetime: 60)
    let foreign = try await Scratch().services().authentication(caller()).issueToken(
      audience: "x", lifetime: 60)
    let parts = token.split(separator: ".").map(String.init)
    let foreignParts = foreign.split(separator: ".").map(String.init)
    let none = segment(#"{"alg":"none","typ":"JWT"}"#)
    let hs256 = segment(#"{"alg":"HS256","typ":"JWT"}"#)
    let root = segment(#"{"iss":"forsetti","sub":"root","aud":"x","iat":0,"exp":99999999999}"#)
    for forged in [
      "", ".", "..", "a.b.c", foreign, "\(none).\(parts[1]).", "\(none).\(root).\(parts[2])",
      "\(hs256).\(parts[1]).\(parts[2])", "\(parts[0]).\(root).\(parts[2])", "\(parts[0]).\(parts[1])",
      "\(parts[0]).\(parts[1]).\(foreignParts[2])", token + ".", token + "=", token + "\n", " " + token,
      "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[2])", String(token.dropLast()),
      String(repeating: "a", count: 1 << 20),
    ] {
      await #expect("\(forged.prefix(40))") { _ = try await authentication.verify(forged) } throws: {
        fault($0) != nil
      }
    }
  }

  @Test("a token of the same key and another issuer is refused") func issuer() async throws {
    let scratch = try Scratch()
    let token = try await scratch.services { $0.tokenIssuer = "other" }.authentication(caller())
      .issueToken(audience: "x", lifetime: 60)
    let authentication = try await scratch.services().authentication(caller())
    await #expect { _ = try await authentication.verify(token) } throws: { fault($0) == "another issuer" }
  }

  @Test("odd audiences and lifetimes are refused") func arguments() async throws {
    let authentication = try await Scratch().services().authentication(caller())
    for audience in ["", " ", "a\nb", "a\0", String(repeating: "a", count: 257), "\u{202e}"] {
      await #expect(throws: ServiceError.self) {
        try await authentication.issueToken(audience: audience, lifetime: 60)
      }
    }
    for lifetime in [Int.min, -1, 0, 86_401, Int.max] {
      await #expect(throws: ServiceError.self) {
        try await authentication.issueToken(audience: "x", lifetime: lifetime)
      }
    }
    // Quotes can't break out of the claim.
    let token = try await authentication.issueToken(audience: #"x","sub":"root"#, lifetime: 86_400)
    #expect(try await authentication.verify(token)["sub"] == "a.module")
  }
}
