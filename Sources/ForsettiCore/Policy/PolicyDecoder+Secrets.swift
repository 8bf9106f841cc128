extension PolicyReader {
  /// What persons are asked for, and which module is told.
  mutating func secrets(_ node: PolicyNode) -> [SecretDeclaration] {
    let found = list(node, key: { ScalarText($0.secretID) }) { (reader, node) in reader.secret(node) }
    if found.count > SecretLimits.secrets {
      fault(node, "at most \(SecretLimits.secrets) secrets are asked for")
    }
    return found.map(\.element)
  }

  private mutating func secret(_ node: PolicyNode) -> SecretDeclaration? {
    guard let object = object(node, .secret) else { return nil }
    let id = object["secretID"].flatMap { identifier($0) }
    let moduleID = object["module"].flatMap { self.moduleID($0) }
    let title = object["title"].flatMap { label($0) }
    let fields = object["fields"].map { secretFields($0) } ?? []
    guard let id, let moduleID, let title else { return nil }
    return SecretDeclaration(secretID: id, moduleID: moduleID, title: title, fields: fields)
  }

  private mutating func secretFields(_ node: PolicyNode) -> [SecretDeclaration.Field] {
    let found = list(node, key: { ScalarText($0.fieldID) }) { (reader, node) in reader.secretField(node) }
    if !(1...SecretLimits.fields).contains(node.value.elements?.count ?? 1) {
      fault(node, "from 1 to \(SecretLimits.fields) fields are meant")
    }
    return found.map(\.element)
  }

  private mutating func secretField(_ node: PolicyNode) -> SecretDeclaration.Field? {
    guard let object = object(node, .secretField) else { return nil }
    let id = object["fieldID"].flatMap { identifier($0) }
    let label = object["label"].flatMap { self.label($0) }
    let kind = object["kind"].flatMap {
      choice($0, "kind of field", of: SecretDeclaration.Field.Kind.self)
    }
    let choices = object["choices"].map { fieldChoices($0) } ?? []
    let isRequired = object["required"].flatMap { boolean($0) } ?? false
    if let kind, (kind == .choice) != (object["choices"] != nil) {
      fault(node, "\"choices\" belongs to the kind \"choice\", and no other kind has it")
    }
    guard let id, let label, let kind else { return nil }
    return SecretDeclaration.Field(
      fieldID: id, label: label, kind: kind, choices: choices, isRequired: isRequired)
  }

  private mutating func fieldChoices(_ node: PolicyNode) -> [String] {
    let found = list(node, key: ScalarText.init) { (reader, node) in reader.label(node) }
    if !(1...SecretLimits.choices).contains(node.value.elements?.count ?? 1) {
      fault(node, "from 1 to \(SecretLimits.choices) choices are meant")
    }
    return found.map(\.element)
  }

  /// A name that is typed on a command line too.
  private mutating func identifier(_ node: PolicyNode) -> String? {
    guard let text = string(node) else { return nil }
    guard SecretLimits.isIdentifier(text) else {
      fault(
        node,
        "a name is meant: a letter, then letters, digits, \"-\", \"_\" and \".\", at most \(SecretLimits.identifier)"
      )
      return nil
    }
    return text
  }

  private mutating func label(_ node: PolicyNode) -> String? {
    guard let text = text(node) else { return nil }
    guard text.utf8.count <= SecretLimits.label else {
      fault(node, "a text of at most \(SecretLimits.label) bytes is meant")
      return nil
    }
    return text
  }
}
