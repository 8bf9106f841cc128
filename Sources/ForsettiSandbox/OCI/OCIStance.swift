/// What a profile does with one call of this machine: by default, and in the forms that its arguments tell apart.
struct OCIStance: Sendable, Hashable {
  /// One form of the call.
  struct Form: Sendable, Hashable {
    /// All must hold.
    var arguments: [OCIProfile.Argument]
    var action: OCIProfile.Action
  }

  /// What becomes of the call in any other form.
  var action: OCIProfile.Action
  /// None where one entry is for all arguments, which takes the place of the others (libseccomp).
  private(set) var forms: [Form] = []
  private var isWhole = false

  init(_ action: OCIProfile.Action) { self.action = action }

  /// Adds an entry as container tools do. Of several conditions on one register any must hold (runc, since Docker's first
  /// profiles were written that way).
  mutating func add(_ entry: OCIProfile.Entry) {
    guard !isWhole else { return }
    guard !entry.arguments.isEmpty else {
      (action, forms, isWhole) = (entry.action, [], true)
      return
    }
    let isAnyOf = Set(entry.arguments.map(\.index)).count < entry.arguments.count
    let alternatives = isAnyOf ? entry.arguments.map { [$0] } : [entry.arguments]
    forms += alternatives.map { Form(arguments: $0, action: entry.action) }
  }

  /// Whether it lets the call through with any arguments.
  var letsAllThrough: Bool { action.letsThrough && forms.allSatisfy(\.action.letsThrough) }

  /// Whether it lets the call through in some form.
  var letsSomeThrough: Bool { action.letsThrough || forms.contains(where: \.action.letsThrough) }

  /// Whether it surely lets through every form of the call that a rule does. Where two entries contradict each other the
  /// stricter one counts.
  func admits(_ rule: SyscallRule) -> Bool {
    guard let alternatives = rule.blocks else { return letsAllThrough }
    return alternatives.allSatisfy(admits)
  }

  private func admits(_ blocks: [RegisterBlock]) -> Bool {
    let answers = forms.map { (action: $0.action, holds: Self.holds($0.arguments, for: blocks)) }
    if answers.contains(where: { !$0.action.letsThrough && $0.holds != .never }) { return false }
    return action.letsThrough || answers.contains { $0.holds == .always }
  }

  private static func holds(
    _ arguments: [OCIProfile.Argument], for blocks: [RegisterBlock]
  ) -> RegisterBlock.Answer {
    let answers = arguments.map { argument in
      blocks.filter { $0.index == argument.index }.map { $0.answer(to: argument) }
        .first { $0 != .sometimes } ?? .sometimes
    }
    if answers.contains(.never) { return .never }
    return answers.allSatisfy { $0 == .always } ? .always : .sometimes
  }

  /// The conditions under which it lets the call through, one text for each form; empty where there are none.
  var conditions: [String] {
    guard !action.letsThrough else {
      return forms.filter { !$0.action.letsThrough }.map { "not " + Self.text($0) }
    }
    return forms.filter(\.action.letsThrough).map(Self.text)
  }

  private static func text(_ form: Form) -> String { form.arguments.map(\.text).joined(separator: ", ") }

  /// Whether it lets through exactly the forms of these rules, condition for condition.
  func isSame(as rules: [SyscallRule]) -> Bool {
    guard !action.letsThrough, forms.allSatisfy(\.action.letsThrough) else { return false }
    let meant = rules.flatMap { $0.blocks ?? [] }.map { blocks in
      Set(blocks.map { OCIProfile.Argument.bits($0.index, mask: $0.mask, value: $0.value) })
    }
    return Set(meant) == Set(forms.map { Set($0.arguments) })
  }
}

/// Values of one register: those whose bits under a mask are these.
struct RegisterBlock: Sendable, Hashable {
  /// How many values of the block fulfil a condition.
  enum Answer { case always, sometimes, never }

  var index: Int
  var mask: UInt64
  var value: UInt64

  private var lowest: UInt64 { value & mask }
  private var highest: UInt64 { value | ~mask }

  /// Whether the values fulfil a condition on this register.
  func answer(to argument: OCIProfile.Argument) -> Answer {
    let datum = argument.value
    return switch argument.comparison {
    case .equal: bits(.max, are: datum)
    case .notEqual: bits(.max, are: datum).opposite
    case .maskedEqual: bits(datum, are: argument.valueTwo & datum)
    case .less: highest < datum ? .always : lowest >= datum ? .never : .sometimes
    case .greaterOrEqual: lowest >= datum ? .always : highest < datum ? .never : .sometimes
    case .lessOrEqual: highest <= datum ? .always : lowest > datum ? .never : .sometimes
    case .greater: lowest > datum ? .always : highest <= datum ? .never : .sometimes
    }
  }

  private func bits(_ asked: UInt64, are datum: UInt64) -> Answer {
    if (value ^ datum) & mask & asked != 0 { return .never }
    return asked & ~mask == 0 ? .always : .sometimes
  }
}

extension RegisterBlock.Answer {
  fileprivate var opposite: Self {
    switch self {
    case .always: .never
    case .never: .always
    case .sometimes: .sometimes
    }
  }
}

extension SyscallRule {
  /// The rule as alternatives of register values, each of which must hold as a whole; `nil` where registers can't tell.
  var blocks: [[RegisterBlock]]? {
    var product: [[RegisterBlock]] = [[]]
    for condition in conditions {
      guard let masks = condition.masks else { return nil }
      let blocks = masks.map {
        RegisterBlock(index: condition.argument, mask: $0.mask, value: $0.value)
      }
      product = product.flatMap { start in blocks.map { start + [$0] } }
    }
    return product
  }
}
