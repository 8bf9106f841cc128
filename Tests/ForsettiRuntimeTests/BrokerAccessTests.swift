import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("What a module may call")
struct BrokerAccessTests {
  private static func access(
    _ kind: ModuleIOKind?, _ entries: [ModuleIOAccess], template: String = "1.1",
    grants: Set<Capability> = Set(Capability.allCases)
  ) -> ServiceAccess {
    var manifest = manifest("com.example.caller", capabilities: Capability.allCases)
    manifest.schemaVersion = template
    manifest.manifestTemplateVersion = template
    if let kind {
      manifest.runtimeRequirements.io = entries.enumerated().map {
        IORequirement("r\($0)", kind, $1, required: false)
      }
    }
    return ServiceAccess(manifest: manifest, grants: grants)
  }

  @Test(
    "covers an access class by its entries",
    arguments: [
      (ModuleIOAccess.read, [.read, .consume, .grant] as Set<AccessClass>), (.write, [.write, .grant]),
      (.readWrite, [.read, .write, .readWrite, .consume, .grant]), (.emit, [.emit, .grant]),
      (.consume, [.consume, .grant]), (.execute, [.grant]),
    ] as [(ModuleIOAccess, Set<AccessClass>)])
  func table(entry: ModuleIOAccess, covered: Set<AccessClass>) {
    let access = Self.access(.diagnostics, [entry])
    for asked in AccessClass.allCases {
      #expect(access.denial(of: .diagnostics, asked) == (covered.contains(asked) ? nil : .access))
    }
  }

  @Test("adds several entries up")
  func sum() {
    let access = Self.access(.storage, [.read, .write])
    #expect(access.denial(of: .storage, .readWrite) == nil)
    #expect(access.denial(of: .storage, .emit) == .access)
  }

  @Test("lets execute cover every verb, and nothing of other services")
  func execute() {
    #expect(Self.access(.api, [.execute]).denial(of: .api, .write) == nil)
    #expect(Self.access(.networking, [.execute]).denial(of: .networking, .read) == nil)
    #expect(Self.access(.sharedDatabase, [.execute]).denial(of: .sharedDatabase, .write) == .access)
  }

  @Test("asks for an entry from template 1.1 on")
  func undeclared() {
    #expect(Self.access(nil, []).denial(of: .storage, .read) == .undeclared)
    #expect(Self.access(.api, [.read]).denial(of: .storage, .read) == .undeclared)
    #expect(Self.access(nil, [], template: "1.0").denial(of: .storage, .write) == nil)
    #expect(Self.access(.storage, [.read], template: "1.0").denial(of: .storage, .write) == .access)
  }

  @Test("goes by the grant alone where no I/O kind has the service")
  func grantAlone() {
    #expect(Self.access(nil, []).denial(of: .cryptoUtilities, .grant) == nil)
    #expect(Self.access(nil, [], grants: []).denial(of: .cryptoUtilities, .grant) == .notGranted)
  }

  @Test("denies what is not granted, whatever is declared")
  func notGranted() {
    #expect(Self.access(.storage, [.readWrite], grants: [.api]).denial(of: .storage, .read) == .notGranted)
  }
}

@Suite("API paths")
struct APIPathTests {
  @Test(
    "are written in one way",
    arguments: [
      ("/", "/"), ("/a/b", "/a/b"), ("/a/", "/a/"), ("/a%20b", "/a%20b"), ("/%7euser/%41", "/~user/A"),
      ("/a%c3%a4", "/a%C3%A4"), ("/a.b/...c/..d", "/a.b/...c/..d"), ("/v1/x:y@z+1,2", "/v1/x:y@z+1,2"),
    ])
  func normal(path: String, expected: String) throws {
    #expect(try APIPath.normalise(path) == expected)
    #expect(try APIPath.normalise(expected) == expected)
  }

  @Test(
    "are refused where a reader could take them for another",
    arguments: [
      ("", APIPath.Fault.relative), ("a", .relative), ("http://h/a", .relative), ("//a", .emptySegment),
      ("/a//b", .emptySegment), ("/a//", .emptySegment), ("/.", .dotSegment), ("/..", .dotSegment),
      ("/a/../b", .dotSegment), ("/a/./b", .dotSegment), ("/a%2fb", .encodedSeparator),
      ("/a%5Cb", .encodedSeparator),
      ("/%2e%2e/b", .encodedSeparator), ("/a%", .badEscape), ("/a%4", .badEscape), ("/a%zz", .badEscape),
      ("/a%00", .badCharacter), ("/a%0d%0a", .badCharacter), ("/a?b", .badCharacter), ("/a#b", .badCharacter),
      ("/a\\b", .badCharacter), ("/a b", .badCharacter), ("/ä", .badCharacter), ("/a;b", .badCharacter),
      ("/a\u{0}", .badCharacter), ("/" + String(repeating: "a", count: 1792), .tooLong),
    ])
  func refused(path: String, fault: APIPath.Fault) {
    #expect(throws: fault) { try APIPath.normalise(path) }
  }

  @Test("never trap, whatever their bytes")
  func arbitrary() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        "/.%2fFeE5c\\ab;?".utf8.randomElement(using: &random) ?? 0
      }
      if let path = try? APIPath.normalise("/" + String(decoding: bytes, as: UTF8.self)) {
        #expect(!path.contains("//") && !path.contains("/../") && !path.contains("/./"))
      }
    }
  }
}

@Suite("Where a service's calls go")
struct ServiceRoutesTests {
  private func routes(
    _ roles: [DefaultModuleRole: RoleProvider], _ manifests: [ModuleManifest] = [], isCompatible: Bool = true
  ) -> ServiceRoutes {
    ServiceRoutes(
      providers: ProviderDirectory(roles: roles, manifests: manifests) { _ in isCompatible },
      hostServices: [.storage, .security])
  }

  @Test("to the module that the policy's roles name")
  func module() {
    let provider = manifest("com.example.api", capabilities: [.api], role: .api)
    #expect(routes([.api: .module("com.example.api")], [provider])[.api] == .module("com.example.api"))
    #expect(routes([.security: .host])[.security] == .host)
    #expect(routes([:])[.storage] == .host)
  }

  @Test("nowhere when that module provides nothing, never to the host instead")
  func noFallback() {
    let other = manifest("com.example.sec", capabilities: [.security])
    for (found, compatible) in [([], true), ([other], true)] as [([ModuleManifest], Bool)] {
      guard
        case .unavailable = routes(
          [.security: .module("com.example.sec")], found, isCompatible: compatible)[.security]
      else {
        Issue.record("the host answers for a provider that is not there")
        continue
      }
    }
  }

  @Test("nowhere when the host has no adapter")
  func noAdapter() {
    for service in [ServiceName.api, .networking] {
      guard case .unavailable = routes([:])[service] else {
        Issue.record("\(service) has no adapter")
        continue
      }
    }
  }
}
