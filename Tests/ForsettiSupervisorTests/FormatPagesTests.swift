import Foundation
import ForsettiCore
import Testing

@testable import ForsettiRuntime

/// The man pages of the file formats, held to the published schemas, which other tests hold to the decoders.
@Suite struct FormatPagesTests {
  @Test(
    "a page has every key of its schema under the object that it belongs to, and no other",
    arguments: ["policy", "manifest", "crash-report"])
  func keys(format: String) throws {
    let page = try ManPage("forsetti-\(format).5").entries
    let schema = try FormatSchema(format)
    #expect(schema.objects.count > 5)
    for (object, keys) in schema.objects {
      #expect(Set(page[object, default: [:]].keys) == Set(keys.keys), "\(object)")
    }
    let places = Set(page.keys).subtracting(["FILES"])
    #expect(places == Set(schema.objects.keys))
  }

  @Test(
    "a key's entry tells every value of a closed set, and the range of a number",
    arguments: ["policy", "manifest", "crash-report"])
  func values(format: String) throws {
    let page = try ManPage("forsetti-\(format).5").entries
    let schema = try FormatSchema(format)
    var told = 0
    for (object, keys) in schema.objects {
      for (key, value) in keys {
        let text = try #require(page[object]?[key], "\(object) \(key)")
        for fact in schema.facts(value) {
          #expect(fact.contains { text.contains($0) }, "\(object) \(key) does not tell \(fact)")
          told += 1
        }
      }
    }
    #expect(told >= 3)
    for set in schema.sharedSets {
      #expect(page.values.contains { $0.values.contains { $0.contains(set) } }, "\(set)")
    }
  }

  @Test("the policy's page tells the values that hold where the policy is silent")
  func defaults() throws {
    let page = try ManPage("forsetti-policy.5").entries
    let silent: [(String, Any)] = [
      ("limits", SandboxLimits()), ("deadlineMilliseconds", PhaseDeadlines()), ("restart", RestartPolicy()),
    ]
    for (object, value) in silent {
      let fields = Mirror(reflecting: value).children
      #expect(!fields.isEmpty)
      for field in fields {
        let key = try #require(field.label)
        let text = try #require(page[object]?[key], "\(object) \(key)")
        let number = (field.value as? Int).map { Int64($0) } ?? (field.value as? UInt64).map { Int64($0) }
        let spellings = number.map(FormatSchema.spellings) ?? ["\(field.value)"]
        #expect(spellings.contains { text.contains("Default: \($0).") }, "\(object) \(key): \(field.value)")
      }
    }
  }

  @Test("the examples of the pages on policy and manifest are valid, and fit each other")
  func examples() async throws {
    let scratch = try Scratch()
    let policy = try scratch.write("policy.json", ManPage("forsetti-policy.5").example)
    try scratch.write("manifests/notes.json", ManPage("forsetti-manifest.5").example)
    let end = try await SupervisorProcess.run([
      "check", "--policy", policy, "--manifests", scratch("manifests"),
    ])
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    #expect(end.output.contains("1 read, 1 compatible"), "\(end.output)")
  }

  @Test("the page on entitlements has the keys that are read, and an example with both")
  func entitlements() throws {
    let page = try ManPage("forsetti-entitlements.5")
    let keys = try #require(page.entries["KEYS"])
    #expect(Set(keys.keys) == Set(EntitlementFile.keys))
    let read = try EntitlementFile.decode(Array(page.example.utf8))
    #expect(read.isUnlocked(moduleID: "com.example.notes", productID: "com.example.other"))
    #expect(read.isUnlocked(moduleID: "com.example.other", productID: "com.example.premium"))
  }

  @Test("the page on the audit log has every kind of decision")
  func auditLog() throws {
    let events = try #require(ManPage("forsetti-audit-log.5").entries["EVENTS"])
    #expect(Set(events.keys) == Set(AuditEvent.Kind.allCases.map(\.rawValue)))
  }

  @Test("the page on bundles has the files that are read")
  func bundles() throws {
    let files = try #require(ManPage("forsetti-bundle.5").entries["FILES"])
    #expect(
      Set(files.keys) == [BundleReader.manifestName, BundleReader.executableName, BundleReader.signatureName])
  }

  @Test("every page is set without a warning, and each page of ours that it names is there")
  func pages() async throws {
    let pages = try ManPage.all()
    #expect(pages.count >= 7)
    for page in pages {
      let end = try await SupervisorProcess.run(
        ["-Kutf8", "-ww", "-man", "-Tutf8", "-z", ManPage.path(page)], executable: "/usr/bin/groff")
      #expect(end.status == 0 && end.errors.isEmpty, "\(page): \(end.errors)")
      let named = try ManPage(page).references.filter { $0.hasPrefix("forsetti-") }
      #expect(Set(named).isSubset(of: pages), "\(page)")
      #expect(!named.isEmpty, "\(page)")
    }
  }
}
