import Testing

/// One manifest and what is to come of it.
struct ManifestCase: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  /// Pointer and a part of the reason; `nil` for a manifest that loads.
  let fault: (pointer: String, reason: String)?

  var testDescription: String { name }

  static func good(_ name: String, _ text: ManifestText) -> ManifestCase {
    ManifestCase(name: name, text: text.text, fault: nil)
  }

  static func bad(_ name: String, _ text: ManifestText, _ pointer: String, _ reason: String) -> ManifestCase {
    ManifestCase(name: name, text: text.text, fault: (pointer, reason))
  }

  /// A service manifest with one member changed; the fault is at that member unless said otherwise.
  static func service(
    _ key: String, _ value: String?, at pointer: String? = nil, _ reason: String
  ) -> ManifestCase {
    bad("\(key): \(value ?? "left out")", .service.with([key: value]), pointer ?? "/\(key)", reason)
  }

  static func requirements(_ value: String, at pointer: String, _ reason: String) -> ManifestCase {
    service("runtimeRequirements", value, at: "/runtimeRequirements" + pointer, reason)
  }

  static func uiRequirements(_ value: String, at pointer: String, _ reason: String) -> ManifestCase {
    bad(
      "ui: \(value)", .ui.with(["runtimeRequirements": #"{"ui":\#(value)}"#]),
      "/runtimeRequirements/ui" + pointer, reason)
  }

  static let valid: [ManifestCase] = [
    good("a service", .service), good("a UI module with an empty block", .ui),
    good("a legacy 1.0 file", .legacy),
    good("an app", .ui.with(["moduleType": #""app""#])),
    good("a legacy UI module without a block", .legacy.with(["moduleType": #""ui""#])),
    good("schema 1.0 with template 1.1", .service.with(["schemaVersion": #""1.0""#])),
    good(
      "null for what may be absent",
      .service.with([
        "maxForsettiVersion": "null", "iapProductID": "null", "defaultModuleRole": "null",
        "runtimeRequirements": "null",
      ])),
    good(
      "null inside requirements",
      .service.with([
        "runtimeRequirements": #"{"io":null,"ui":null,"dataIsolation":null}"#
      ])),
    good("empty requirements", .service.with(["runtimeRequirements": "{}"])),
    good("isolation without a mode", .service.with(["runtimeRequirements": #"{"dataIsolation":{}}"#])),
    good(
      "integers written 1.0 and 1e2",
      .service.with([
        "moduleVersion": #"{"major":1.0,"minor":1e2,"patch":-0}"#
      ])),
    good(
      "the largest version part",
      .service.with([
        "moduleVersion": #"{"major":2147483647,"minor":0,"patch":0}"#
      ])),
    good("a platform nobody knows", .service.with(["supportedPlatforms": #"["BeOS","Linux"]"#])),
    good("unknown keys everywhere", .service.with(["appVersion": #""A1""#, "x": #"{"y":[{}]}"#])),
    good("bounds that meet", .service.with(["maxForsettiVersion": #"{"major":0,"minor":1,"patch":0}"#])),
    good(
      "a prerelease",
      .service.with([
        "moduleVersion": #"{"major":1,"minor":0,"patch":0,"prerelease":"rc.1-x"}"#
      ])),
    good(
      "an empty prerelease",
      .service.with([
        "moduleVersion": #"{"major":1,"minor":0,"patch":0,"prerelease":""}"#
      ])),
    good("a provider role", .service.with(["defaultModuleRole": #""api""#])),
    good("the ui role", .ui.with(["defaultModuleRole": #""ui""#])),
    good("hyphens and digits in later segments", .service.with(["moduleID": #""com1.Ex-2.a-b-3""#])),
    good("forsetti inside the ID", .service.with(["moduleID": #""com.forsetti.x""#])),
    good("dots and underscores in the entry point", .service.with(["entryPoint": #""_A.b_2.3c""#])),
    good("letters beyond ASCII in the name", .service.with(["displayName": #""Prüfung 検査 🔒""#])),
    good("a right-to-left mark in the name", .service.with(["displayName": "\"בדיקה\u{200F}!\""])),
    good(
      "IDs that are only canonically equivalent",
      .ui.with([
        "runtimeRequirements": "{\"ui\":{\"viewIDs\":[\"\u{E9}\",\"e\u{301}\"]}}"
      ])),
  ]

  static let missing: [ManifestCase] = [
    service("schemaVersion", nil, "is missing"), service("moduleID", nil, "is missing"),
    service("displayName", nil, "is missing"), service("moduleVersion", nil, "is missing"),
    service("moduleType", nil, "is missing"), service("supportedPlatforms", nil, "is missing"),
    service("minForsettiVersion", nil, "is missing"), service("capabilitiesRequested", nil, "is missing"),
    service("entryPoint", nil, "is missing"), service("moduleID", "null", "is missing"),
    service("manifestTemplateVersion", nil, "\"manifestTemplateVersion\" is missing"),
    service("manifestTemplateVersion", "null", "\"manifestTemplateVersion\" is missing"),
    bad(
      "a misspelt key", .service.with(["moduleID": nil, "moduleId": #""com.example.a""#]), "/moduleID",
      "\"moduleId\""),
    service("moduleVersion", #"{"major":1,"minor":2}"#, at: "/moduleVersion/patch", "\"patch\" is missing"),
    requirements(
      #"{"io":[{"kind":"storage","access":"read","required":true}]}"#, at: "/io/0/requirementID", "is missing"
    ),
    requirements(
      #"{"io":[{"requirementID":"a","access":"read","required":true}]}"#, at: "/io/0/kind", "is missing"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","required":true}]}"#, at: "/io/0/access", "is missing"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read"}]}"#, at: "/io/0/required", "is missing"),
  ]

  static let types: [ManifestCase] = [
    service("schemaVersion", "1.1", "a string is expected, not a number"),
    service("manifestTemplateVersion", "1.1", "a string is expected"),
    service("moduleID", "[]", "a string is expected"),
    service("displayName", "{}", "a string is expected"),
    service("supportedPlatforms", #""Linux""#, "an array is expected"),
    service("supportedPlatforms", "[null]", at: "/supportedPlatforms/0", "a string is expected, not null"),
    service("capabilitiesRequested", "{}", "an array is expected"),
    service("entryPoint", "true", "a string is expected"),
    service("iapProductID", "7", "a string is expected"),
    service("runtimeRequirements", "[]", "an object is expected"),
    requirements(#"{"io":{}}"#, at: "/io", "an array is expected"),
    requirements(#"{"io":["storage"]}"#, at: "/io/0", "an object is expected, not a string"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read","required":"yes"}]}"#,
      at: "/io/0/required",
      "true or false"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read","required":true,"description":1}]}"#,
      at: "/io/0/description", "a string is expected"),
    requirements(
      #"{"dataIsolation":{"ownedStoreIDs":"a"}}"#, at: "/dataIsolation/ownedStoreIDs", "an array is expected"),
    uiRequirements("[]", at: "", "an object is expected"),
    uiRequirements(#"{"viewIDs":{}}"#, at: "/viewIDs", "an array"),
    service("moduleVersion", #""1.2.3-rc.1""#, #"{"major":1,"minor":2,"patch":3,"prerelease":"rc.1"}"#),
    service("maxForsettiVersion", #""latest""#, #"{"major":1,"minor":0,"patch":0}"#),
    service(
      "moduleVersion", #"{"major":1.5,"minor":0,"patch":0}"#, at: "/moduleVersion/major", "0 to 2147483647"),
    service(
      "moduleVersion", #"{"major":1,"minor":2147483648,"patch":0}"#, at: "/moduleVersion/minor",
      "0 to 2147483647"),
    service(
      "moduleVersion", #"{"major":1,"minor":1e30,"patch":0}"#, at: "/moduleVersion/minor", "0 to 2147483647"),
    service(
      "moduleVersion", #"{"major":1,"minor":"0","patch":0}"#, at: "/moduleVersion/minor",
      "an integer is expected"),
  ]

  static let names: [ManifestCase] = [
    service("moduleType", #""servce""#, "did you mean \"service\""),
    service("moduleType", #""daemon""#, "valid: service, ui, app"),
    service(
      "capabilitiesRequested", #"["networking","storge"]"#, at: "/capabilitiesRequested/1",
      "did you mean \"storage\""),
    service(
      "capabilitiesRequested", #"["secureStorage"]"#, at: "/capabilitiesRequested/0", "\"secure_storage\""),
    service(
      "capabilitiesRequested", #"["camera"]"#, at: "/capabilitiesRequested/0", "valid: networking, storage"),
    service("defaultModuleRole", #""diagnostic""#, "did you mean \"diagnostics\""),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"ui","access":"read","required":true}]}"#, at: "/io/0/kind",
      "not an I/O kind"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"readwrite","required":true}]}"#,
      at: "/io/0/access",
      "did you mean \"read_write\""),
    requirements(
      #"{"dataIsolation":{"mode":"private"}}"#, at: "/dataIsolation/mode", "valid: private_to_module"),
    requirements(
      #"{"dataIsolation":{"requiredDefaultRoles":["api","secrity"]}}"#,
      at: "/dataIsolation/requiredDefaultRoles/1",
      "did you mean \"security\""),
  ]

  static let rules: [ManifestCase] = [
    service("schemaVersion", #"" \u2003 ""#, "blank"), service("moduleID", #""""#, "blank"),
    service("displayName", #""\t""#, "blank"), service("entryPoint", #""\u00a0""#, "blank"),
    service("moduleID", #""com""#, "two segments"), service("moduleID", #""com.""#, "segment 2"),
    service("moduleID", #"".com.a""#, "segment 1"), service("moduleID", #""com..a""#, "segment 2"),
    service("moduleID", #""com-x.a""#, "segment 1"), service("moduleID", #""com.1a""#, "segment 2"),
    service("moduleID", #""1com.a""#, "segment 1"), service("moduleID", #""com.a_b""#, "segment 2"),
    service("moduleID", #""com.a.-b""#, "segment 3"), service("moduleID", #""com.a\n""#, "segment 2"),
    service("moduleID", #""com.ä""#, "not ASCII"), service("moduleID", #""forsetti.a""#, "reserved"),
    service("moduleID", #""ForSetti.a""#, "reserved"), service("entryPoint", #""A..B""#, "empty part"),
    service("entryPoint", #""A.""#, "empty part"), service("entryPoint", #"".A""#, "entryPoint"),
    service("entryPoint", #""1A""#, "entryPoint"), service("entryPoint", #""A-B""#, "entryPoint"),
    service("entryPoint", #""A/B""#, "entryPoint"), service("entryPoint", #""Ä""#, "entryPoint"),
    service("schemaVersion", #""2.0""#, "supported: 1.0, 1.1"),
    service("schemaVersion", #""1.10""#, "not supported"),
    service("manifestTemplateVersion", #""2.0""#, "supported: 1.0, 1.1"),
    service("manifestTemplateVersion", #""1.0""#, "schemaVersion 1.1 needs"),
    service("supportedPlatforms", "[]", "empty"),
    service("supportedPlatforms", #"["Linux"," Linux"]"#, at: "/supportedPlatforms/1", "duplicates"),
    service(
      "moduleVersion", #"{"major":-1,"minor":0,"patch":0}"#, at: "/moduleVersion/major", "not negative"),
    service(
      "minForsettiVersion", #"{"major":0,"minor":0,"patch":-9e18}"#, at: "/minForsettiVersion/patch",
      "not negative"),
    service(
      "maxForsettiVersion", #"{"major":0,"minor":-2,"patch":0}"#, at: "/maxForsettiVersion/minor",
      "not negative"),
    service("maxForsettiVersion", #"{"major":0,"minor":0,"patch":9}"#, "below minForsettiVersion 0.1.0"),
    service("maxForsettiVersion", #"{"major":0,"minor":1,"patch":0,"prerelease":"rc"}"#, "0.1.0-rc is below"),
    service(
      "capabilitiesRequested", #"["api","api"]"#, at: "/capabilitiesRequested/1",
      "capabilitiesRequested has duplicates"),
    service("defaultModuleRole", #""ui""#, "not for moduleType \"service\""),
    service("defaultModuleRole", #""security""#, "\"security\" in capabilitiesRequested"),
    bad(
      "a service role on a UI module", .ui.with(["defaultModuleRole": #""api""#]), "/defaultModuleRole",
      "for service modules, not for moduleType \"ui\""),
    requirements(#"{"ui":{}}"#, at: "/ui", "service modules have no UI requirements"),
    bad(
      "a UI module without a block", .ui.with(["runtimeRequirements": nil]), "/runtimeRequirements/ui",
      "ui modules declare"),
    bad(
      "an app without a block", .ui.with(["moduleType": #""app""#, "runtimeRequirements": "{}"]),
      "/runtimeRequirements/ui", "app modules declare"),
    requirements(
      #"{"io":[{"requirementID":" ","kind":"storage","access":"read","required":true}]}"#,
      at: "/io/0/requirementID", "blank"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read","required":true},"#
        + #"{"requirementID":" a ","kind":"storage","access":"write","required":true}]}"#,
      at: "/io/1/requirementID", "twice"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"telemetry","access":"emit","required":false}]}"#,
      at: "/io/0/kind",
      "\"telemetry\" in capabilitiesRequested"),
    requirements(
      #"{"dataIsolation":{"ownedStoreIDs":["a",""]}}"#, at: "/dataIsolation/ownedStoreIDs/1", "blank"),
    requirements(
      #"{"dataIsolation":{"ownedStoreIDs":["a","a "]}}"#, at: "/dataIsolation/ownedStoreIDs/1", "duplicates"),
    requirements(
      #"{"dataIsolation":{"requiredDefaultRoles":["api","api"]}}"#,
      at: "/dataIsolation/requiredDefaultRoles/1",
      "duplicates"),
  ]

  static let uiRules: [ManifestCase] =
    ["themeIDs", "viewIDs", "slotIDs", "toolbarItemIDs", "routeIDs", "pointerIDs"].flatMap { key in
      [
        uiRequirements(#"{"\#(key)":["a"," "]}"#, at: "/\(key)/1", "\(key) has a blank member"),
        uiRequirements(#"{"\#(key)":["a","b","a"]}"#, at: "/\(key)/2", "\(key) has duplicates"),
      ]
    }

  static let texts: [ManifestCase] = [
    service("displayName", #""a\u0000b""#, "U+0000"), service("displayName", #""a\u009bb""#, "U+009B"),
    service("displayName", #""a\u202eb""#, "U+202E"), service("displayName", #""a\u2066b""#, "U+2066"),
    service("displayName", #""a\u2028b""#, "U+2028"), service("iapProductID", #""a\u0007""#, "U+0007"),
    service("iapProductID", #"" ""#, "blank"),
    requirements(
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read","required":true,"description":"\u001b[2J"}]}"#,
      at: "/io/0/description", "U+001B"),
    uiRequirements(#"{"layoutID":"a\nb"}"#, at: "/layoutID", "U+000A"),
    service(
      "moduleVersion", #"{"major":1,"minor":0,"patch":0,"prerelease":"01"}"#, at: "/moduleVersion/prerelease",
      "§9"),
    service(
      "moduleVersion", #"{"major":1,"minor":0,"patch":0,"prerelease":"a..b"}"#,
      at: "/moduleVersion/prerelease", "§9"),
    service(
      "moduleVersion", #"{"major":1,"minor":0,"patch":0,"prerelease":"a_b"}"#,
      at: "/moduleVersion/prerelease", "§9"),
  ]

  /// Manifests with two faults: the first in the order of SPEC §1 is told.
  static let order: [ManifestCase] = [
    bad(
      "shape before rules", .service.with(["moduleID": #""com""#, "entryPoint": "7"]), "/entryPoint",
      "a string"),
    bad(
      "keys in the order of the table, not of the file",
      .service.with(["moduleType": nil, "moduleVersion": "1", "displayName": "1"]), "/displayName", "a string"
    ),
    bad(
      "a missing template before a missing ID",
      .service.with(["manifestTemplateVersion": nil, "moduleID": nil]),
      "/manifestTemplateVersion", "missing"),
    bad(
      "an unknown schema has its place among the rules",
      .service.with(["schemaVersion": #""9""#, "moduleID": #""x""#]),
      "/moduleID", "two segments"),
    bad(
      "blank before shape", .service.with(["moduleID": #""x""#, "entryPoint": #""""#]), "/entryPoint", "blank"
    ),
    bad(
      "schema before template",
      .service.with(["schemaVersion": #""9""#, "manifestTemplateVersion": #""9""#]),
      "/schemaVersion", "not supported"),
    bad(
      "platforms before versions",
      .service.with(["supportedPlatforms": "[]", "moduleVersion": #"{"major":-1,"minor":0,"patch":0}"#]),
      "/supportedPlatforms", "empty"),
    bad(
      "the role before requirements",
      .service.with(["defaultModuleRole": #""ui""#, "runtimeRequirements": #"{"ui":{}}"#]),
      "/defaultModuleRole", "not for"),
    bad(
      "themes before pointers",
      .ui.with(["runtimeRequirements": #"{"ui":{"pointerIDs":[""],"themeIDs":[""]}}"#]),
      "/runtimeRequirements/ui/themeIDs/0", "blank"),
    bad(
      "texts after identifiers",
      .ui.with(["displayName": #""\u0001x""#, "runtimeRequirements": #"{"ui":{"pointerIDs":[""]}}"#]),
      "/runtimeRequirements/ui/pointerIDs/0", "blank"),
  ]

  static let dialect: [ManifestCase] = [
    ("an empty file", "", "", "empty"), ("an array", "[]", "", "an object is expected"),
    ("a text", "\"x\"", "", "an object"),
    ("a comment", "// manifest\n{}", "", "comments"), ("text behind it", "{} {}", "", "after the end"),
    ("NaN", #"{"x": NaN}"#, "/x", "NaN"), ("a key twice", #"{"a": 1, "a": 2}"#, "/a", "twice"),
    ("a lone surrogate", #"{"a": "\uD800"}"#, "/a", "surrogate"),
    ("a trailing comma", #"{"a": 1,}"#, "", "comma"),
    (
      "33 levels in an unknown key", #"{"x":"# + String(repeating: "[", count: 32),
      "/x" + String(repeating: "/0", count: 31), "32 levels"
    ),
    (
      "1,025 elements in an unknown key", #"{"x":["# + String(repeating: "1,", count: 1024) + "1]}", "/x",
      "1024"
    ),
    ("a text of 4,097 bytes", #"{"x":""# + String(repeating: "a", count: 4097) + "\"}", "/x", "4096"),
    ("more than 256 KiB", "{" + String(repeating: " ", count: 256 << 10) + "}", "", "262144"),
  ].map { name, text, pointer, reason in ManifestCase(name: name, text: text, fault: (pointer, reason)) }

  static let invalid = missing + types + names + rules + uiRules + texts + order + dialect
}
