import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct SupportSecretTests {
  private static let foundCases: [(SecretKeys, String, String?)] = [
    (
      .recoveryKey, #"{"individualRecoveryKeyValidityStatus":"VALID","personalRecoveryKey":"AAAA-BBBB"}"#,
      "AAAA-BBBB"
    ),
    (
      .recoveryKey, #"{"personalRecoveryKey":"AAAA-BBBB","individualRecoveryKeyValidityStatus":"VALID"}"#,
      "AAAA-BBBB"
    ),
    (.recoveryKey, #"{"individualRecoveryKeyValidityStatus":"VALID"}"#, nil),
    (.recoveryKey, #"{"personalRecoveryKey":"  "}"#, nil),
    (.recoveryKey, #"{"computerId":"12","name":"MAC-12","personalRecoveryKey":null}"#, nil),
    (.recoveryKey, #"{"escrowedRecoveryKeyText":"LOOK","personalRecoveryKey":"EXACT"}"#, "EXACT"),
    (.recoveryKey, #"{"recoveryKey":"SECOND","personalRecoveryKey":"FIRST"}"#, "FIRST"),
    (.recoveryKey, #"{"a":{"b":[{"personal_recovery_key":"DEEP"}]}}"#, "DEEP"),
    (.recoveryKey, #""ALONE""#, "ALONE"),
    (.recoveryLock, #"{"recoveryLockPassword":" kept as it is "}"#, " kept as it is "),
    (.pin, #"{"pin":482913}"#, "482913"), (.pin, #"{"pin":"012345"}"#, "012345"),
    (.pin, #"{"deviceLockPin":"000001"}"#, "000001"),
    (.localPassword, #"{"password":"p","expirationTime":"2026"}"#, "p"),
    (.localPassword, #"{"passwordExpirationDate":"2026-01-01"}"#, nil),
    (.localPassword, #"{"results":[{"lapsPassword":"nested"}]}"#, "nested"),
    (.localPassword, "{}", nil), (.localPassword, "[]", nil), (.localPassword, "null", nil),
    (.localPassword, "true", nil),
  ]

  @Test("the secret is what is taken, never what is said about it", arguments: foundCases)
  func found(keys: SecretKeys, text: String, expected: String?) throws {
    #expect(keys.secret(in: try supportTree(text))?.value == expected)
  }

  @Test("a secret is given out once, and its handle tells nothing of it") func once() {
    var vault = SecretVault()
    let handle = vault.keep(SupportSecret(title: "PIN", value: "482913"), token: "t")
    #expect(vault.titles.map(\.title) == ["PIN"])
    #expect(vault.take(SecretVault.Handle(text: "u")) == nil)
    #expect(vault.take(handle)?.value == "482913")
    #expect(vault.take(handle) == nil)
  }

  @Test("two new passwords of one account are told apart by the times of their orders")
  func title() {
    let titles = [0, 1].map {
      LocalPasswords.title(account: "admin\u{202E}", orderedAt: 1_793_520_000_000 + $0)
    }
    #expect(
      titles == [
        #"New password of admin\u{202E}, ordered at 2026-11-01T08:00:00.000Z"#,
        #"New password of admin\u{202E}, ordered at 2026-11-01T08:00:00.001Z"#,
      ])
  }

  private func reserves(_ vault: inout SecretVault) -> Bool { vault.reserve() }

  @Test("no secret gives way to another: without a place for it an order is not given") func places() {
    var vault = SecretVault()
    for number in 1...SecretVault.limit {
      #expect(reserves(&vault))
      if number > 1 {
        vault.release()
        _ = vault.keep(SupportSecret(title: "\(number)", value: "x"), token: "\(number)")
      }
    }
    #expect(!reserves(&vault), "the place of an order under way is not free")
    vault.release()
    #expect(reserves(&vault))
    vault.release()
    _ = vault.keep(SupportSecret(title: "1", value: "x"), token: "1")
    #expect(!reserves(&vault))
    #expect(vault.titles.count == SecretVault.limit)
    _ = vault.take(SecretVault.Handle(text: "5"))
    #expect(reserves(&vault))
  }

  @Test("no text that is made of a secret has it") func hidden() {
    let secret = SupportSecret(title: "PIN", value: "482913")
    #expect(!"\(secret) \(String(reflecting: secret)) \(Optional(secret) as Any)".contains("482913"))
  }

  @Test("codes have six digits, passwords twenty characters") func made() {
    var dice = SystemRandomNumberGenerator()
    let pins = (0..<200).map { _ in SecretMaker.pin(using: &dice) }
    #expect(pins.allSatisfy { $0.utf8.count == 6 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    #expect(Set(pins).count > 150)
    #expect(SecretMaker.password(using: &dice).utf8.count == 20)
  }
}
