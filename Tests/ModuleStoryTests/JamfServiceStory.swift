import ForsettiCore
import Foundation
import Testing

/// Jamf Service in its process: credentials, tokens, and what it makes of a server that has a bad day.
@Suite("Jamf Service", .timeLimit(.minutes(5))) struct JamfServiceStory {
  private static let buildings = "/api/v1/buildings"

  @Test("credentials are tried before they are kept, kept past a kill, and found nowhere")
  func credentials() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      #expect(try story.api("GET", "/forsetti/connection").body["state"]?.stringValue == "notConfigured")
      #expect(throws: (any Error).self) { try story.api("GET", Self.buildings) }

      var values = [
        "server": story.simulator.address, "kind": "api-client", "account": "forsetti-demo",
        "secret": "wrong-one",
      ]
      let refusal = try story.refusal { try story.setSecret("jamf-credentials", values) }
      #expect(refusal.contains("did not accept the credentials"))
      #expect(!refusal.contains("wrong-one"))
      values["server"] = "http://jamf.example"
      #expect(try story.refusal { try story.setSecret("jamf-credentials", values) }.contains("https://"))
      #expect(try story.api("GET", "/forsetti/connection").body["state"]?.stringValue == "notConfigured")

      try story.enterCredentials(of: .demo)
      try await story.untilEvent("com.forsetti.jamfpro.service.jamf.connection")
      let connection = try story.api("GET", "/forsetti/connection").body
      #expect(connection["state"]?.stringValue == "connected")
      #expect(connection["server"]?.stringValue == story.simulator.address)
      #expect(!JSONWriter.text(connection).contains("forsetti-demo"))

      let before = try story.module("service.jamf")
      try story.kill("service.jamf")
      try await story.untilRestarted("service.jamf", from: before.pid)
      #expect(try story.api("GET", Self.buildings).status == 200)
      for (file, bytes) in try story.stateFiles() {
        #expect(bytes.range(of: Data("forsetti-demo-secret".utf8)) == nil, "\(file)")
      }
      try await story.expectAllUsed(by: "service.jamf")
    }
  }

  @Test("a user's credentials do as well, and what the account may do is told")
  func user() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      try story.setSecret(
        "jamf-credentials",
        ["server": story.simulator.address, "kind": "user", "account": " demo ", "secret": "demo-password "])
      #expect(try story.api("GET", Self.buildings).status == 200)
      let all = try story.api("GET", "/forsetti/privileges").body["privileges"]?.elements ?? []
      #expect(all.contains { $0.stringValue == "Read Computers" })
      try story.enterCredentials(of: .nobody)
      #expect(try story.api("GET", Self.buildings).status == 403)
      let few = try story.api("GET", "/forsetti/privileges").body["privileges"]?.elements ?? []
      #expect(few.count < all.count)
    }
  }

  @Test("tokens are Jamf Service's alone", arguments: ["/api/v1/oauth/token", "/api/v1/auth/keep-alive"])
  func tokens(path: String) async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3)) { story in
      try story.simulator.forgetRequests()
      #expect(throws: (any Error).self) { try story.api("POST", path) }
      #expect(try story.simulator.requests().isEmpty)
    }
  }

  @Test("a server that has a bad day is waited for, as far as it is safe") func faults() async throws {
    try await ModuleDeskStory.tell(.init(computers: 30, mobileDevices: 3)) { story in
      func statuses(_ rules: String, _ method: String = "GET", _ path: String = Self.buildings) throws
        -> (answer: Int, seen: [Int])
      {
        try story.simulator.setFaults(rules)
        try story.simulator.forgetRequests()
        let answer = try story.api(method, path).status
        return (answer, try story.simulator.requests().filter { $0.path == path }.map(\.status))
      }
      let limited = try statuses(
        #"[{"path": "/api/v1/buildings", "times": 2, "fault": "status", "status": 429, "retryAfter": 0}]"#)
      #expect(limited.answer == 200)
      #expect(limited.seen == [429, 429, 200])
      let long = try statuses(
        #"[{"path": "/api/v1/buildings", "times": 1, "fault": "status", "status": 429, "retryAfter": 3600}]"#)
      #expect(long.answer == 429)
      #expect(long.seen == [429])
      let failing = try statuses(
        #"[{"path": "/api/v1/buildings", "times": 1, "fault": "status", "status": 503}]"#)
      #expect(failing.seen == [503, 200])
      let order = try statuses(
        #"[{"path": "/api/v2/mdm/commands", "times": 1, "fault": "status", "status": 500}]"#, "POST",
        "/api/v2/mdm/commands")
      #expect(order.answer == 500)
      #expect(order.seen == [500])
      let cut = try statuses(#"[{"path": "/api/v1/buildings", "times": 1, "fault": "cut", "bytes": 10}]"#)
      #expect(cut.answer == 200)
      #expect(cut.seen.count == 2)
      let forgotten = try statuses(
        #"[{"path": "/api/v1/buildings", "times": 1, "fault": "status", "status": 401}]"#)
      #expect(forgotten.seen == [401, 200])

      // The server's time goes on and its tokens end; nobody here has waited.
      try story.simulator.setFaults("[]")
      try story.simulator.advanceClock(seconds: 3_600)
      #expect(try story.api("GET", Self.buildings).status == 200)

      try story.simulator.setFaults(
        #"[{"path": "/api/v1/buildings", "times": 0, "fault": "status", "status": 401}]"#)
      let refusal = try story.refusal { _ = try story.api("GET", Self.buildings) }
      #expect(refusal.contains("credentialsRejected"))
      #expect(
        try story.api("GET", "/forsetti/connection").body["state"]?.stringValue == "credentialsRejected")
      try story.simulator.setFaults("[]")
      #expect(try story.api("GET", Self.buildings).status == 200)
      #expect(try story.api("GET", "/forsetti/connection").body["state"]?.stringValue == "connected")
    }
  }
}
