import ForsettiCore

/// A manifest as text, member by member, so that a case changes one thing alone.
struct ManifestText {
  private var members: [(key: String, value: String)]

  static let service = ManifestText(members: [
    ("schemaVersion", #""1.1""#), ("manifestTemplateVersion", #""1.1""#),
    ("moduleID", #""com.example.service""#),
    ("displayName", #""Example""#), ("moduleVersion", #"{"major":1,"minor":2,"patch":3}"#),
    ("moduleType", #""service""#), ("supportedPlatforms", #"["Linux"]"#),
    ("minForsettiVersion", #"{"major":0,"minor":1,"patch":0}"#),
    ("capabilitiesRequested", #"["networking","storage","api"]"#), ("entryPoint", #""ExampleService""#),
    (
      "runtimeRequirements",
      #"{"io":[{"requirementID":"a","kind":"storage","access":"read_write","required":true}]}"#
    ),
  ])

  static let ui = service.with([
    "moduleType": #""ui""#, "runtimeRequirements": #"{"ui":{}}"#, "capabilitiesRequested": "[]",
  ])

  static let legacy = service.with([
    "schemaVersion": #""1.0""#, "manifestTemplateVersion": nil, "runtimeRequirements": nil,
  ])

  /// The same with some members replaced, added at the end, or (by `nil`) left out.
  func with(_ changes: KeyValuePairs<String, String?>) -> ManifestText {
    var copy = self
    for (key, value) in changes {
      let place = copy.members.firstIndex { $0.key == key }
      switch (place, value) {
      case (let place?, let value?): copy.members[place].value = value
      case (let place?, nil): copy.members.remove(at: place)
      case (nil, let value?): copy.members.append((key, value))
      case (nil, nil): break
      }
    }
    return copy
  }

  /// One member a line, so that line 2 holds the first.
  var text: String {
    "{\n" + members.map { "  \"\($0.key)\": \($0.value)" }.joined(separator: ",\n") + "\n}\n"
  }

  func decode() throws(ManifestFault) -> DecodedManifest {
    try ManifestDecoder.decode(bytes: Array(text.utf8), file: "example.json")
  }
}
