import Testing

@testable import ForsettiModules

@Suite struct SearchAttemptTests {
  private static let computers = SearchSubject.computers.route
  private static let devices = SearchSubject.mobileDevices.route

  private static let steps: [(SearchRoute, SearchAttempt, JamfFailure, SearchAttempt?)] = [
    (
      computers, SearchAttempt(text: .anywhere), .invalidRequest("INVALID_FIELD: filter"),
      SearchAttempt(text: .exact)
    ),
    (computers, SearchAttempt(text: .exact), .invalidRequest("x"), SearchAttempt(text: .basic)),
    (
      computers, SearchAttempt(text: .basic), .invalidRequest("x"), SearchAttempt(version: 1, text: .anywhere)
    ),
    (computers, SearchAttempt(), .invalidRequest("x"), SearchAttempt(version: 1)),
    (computers, SearchAttempt(version: 2), .invalidRequest("x"), nil),
    (
      computers, SearchAttempt(text: .anywhere), .forbidden("/p"),
      SearchAttempt(sections: .none, text: .exact)
    ),
    (computers, SearchAttempt(), .forbidden("/p"), SearchAttempt(sections: .none)),
    (
      computers, SearchAttempt(sections: .none, text: .exact), .forbidden("/p"),
      SearchAttempt(version: 1, text: .anywhere)
    ),
    (
      computers, SearchAttempt(version: 2, sections: .none, text: .exact), .forbidden("/p"), nil
    ),
    (computers, SearchAttempt(text: .basic), .notFound("/p"), SearchAttempt(version: 1, text: .anywhere)),
    (computers, SearchAttempt(version: 2), .notFound("/p"), nil),
    (
      computers, SearchAttempt(), .invalidRequest("INVALID_FIELD: section: unknown"),
      SearchAttempt(sections: .none)
    ),
    (
      devices, SearchAttempt(text: .anywhere), .invalidRequest("Unknown SECTION"),
      SearchAttempt(sections: .older, text: .anywhere)
    ),
    (
      devices, SearchAttempt(sections: .older, text: .anywhere), .invalidRequest("section"),
      SearchAttempt(sections: .none, text: .anywhere)
    ),
    (devices, SearchAttempt(sections: .none), .invalidRequest("section"), nil),
    (devices, SearchAttempt(), .notFound("/p"), nil),
    (computers, SearchAttempt(), .rateLimited(retryAfterSeconds: 1), nil),
    (computers, SearchAttempt(), .serverError(500), nil), (computers, SearchAttempt(), .cancelled, nil),
    (computers, SearchAttempt(), .notConfigured, nil), (computers, SearchAttempt(), .denied("x"), nil),
  ]

  @Test("a refusal leads to the next way of asking, or to none", arguments: steps)
  func next(route: SearchRoute, attempt: SearchAttempt, failure: JamfFailure, next: SearchAttempt?) {
    #expect(attempt.next(after: failure, on: route) == next)
  }

  @Test("whatever is refused, and however often, it ends", arguments: [computers, devices])
  func ends(route: SearchRoute) {
    for failures in [
      [JamfFailure.invalidRequest("section")], [.invalidRequest("x")], [.forbidden("")],
      [.invalidRequest("section"), .forbidden(""), .invalidRequest("x"), .notFound("")],
    ] {
      var (attempt, count): (SearchAttempt?, Int) = (SearchAttempt(text: .anywhere), 0)
      while let current = attempt, count < 100 {
        attempt = current.next(after: failures[count % failures.count], on: route)
        count += 1
      }
      #expect(count <= 15)
    }
  }

  @Test("the view says what may be missing")
  func notes() {
    #expect(SearchAttempt(text: .anywhere).note == nil)
    #expect(SearchAttempt(version: 1, sections: .none, text: .exact).note?.isEmpty == false)
  }
}

@Suite struct FreeTextTests {
  private static let identity = SearchSubject.computers.identityKeys

  @Test("identity keys come first and in order, and none is lost to the limit")
  func keys() {
    let more = (0..<20).map { "x\($0)" }
    let keys = FreeText.keys(identity: Self.identity, more: more, fallback: ["f"])
    #expect(keys.count == 12)
    #expect(Array(keys.prefix(10)) == Self.identity)
    #expect(Array(keys.suffix(2)) == ["x0", "x1"])
    #expect(FreeText.keys(identity: ["a"], more: ["b", "a", "b"], fallback: ["f"]) == ["a", "b"])
    #expect(FreeText.keys(identity: [], more: ["a"], fallback: ["f"]) == ["a"])
    #expect(FreeText.keys(identity: [], more: [], fallback: ["f"]) == ["f"])
  }

  private static let fields = [
    RSQLField(key: "a", type: .string, section: "S", serverName: "s.a"),
    RSQLField(key: "b", type: .bool, section: "S", serverName: "s.b"),
    RSQLField(key: "n", type: .integer, section: "S", serverName: "s.n"),
    RSQLField(key: "d", type: .date, section: "S", serverName: "s.d"),
    RSQLField(key: "c", type: .string, section: "S"),
  ]

  @Test(
    "a field takes part if the text can be its value",
    arguments: [
      ("mac", "(s.a=='*mac*')"), (" Yes ", "(s.a=='*Yes*',s.b==true)"),
      ("0", "(s.a=='*0*',s.b==false,s.n=='0')"),
      ("42", "(s.a=='*42*',s.n=='42')"), ("-1", "(s.a=='*-1*')"),
      ("99999999999999999999", "(s.a=='*99999999999999999999*')"), (#"O'B\*"#, #"(s.a=='*O\'B\\\**')"#),
      ("  ", nil),
    ] as [(String, String?)])
  func filter(text: String, filter: String?) {
    #expect(FreeText.filter(text, in: Self.fields, wildcard: true) == filter)
  }

  @Test("the exact form has no stars; nothing comes of fields that the server can't filter by")
  func exact() {
    #expect(FreeText.filter("mac", in: Self.fields, wildcard: false) == "(s.a=='mac')")
    #expect(FreeText.filter("mac", in: [Self.fields[4]], wildcard: true) == nil)
  }
}
