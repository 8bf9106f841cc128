import ForsettiIPC

/// The last answers about functions: a module that crashes again and again mostly does so at the same place, which needs
/// no worker then, and no report written twice.
struct FunctionMemory {
  /// Of the longest names half a megabyte.
  private static let capacity = 16

  private struct Answer {
    /// Whose functions they are. A program that was replaced is another object.
    weak var program: (any AnyObject & Sendable)?
    var places: [UInt64]
    var functions: [SymbolAnswer.Function?]
  }

  /// The oldest first.
  private var answers: [Answer] = []

  /// What was answered about these places; `nil` where nobody knows any more.
  func functions(around places: [UInt64], in program: ModuleProgram) -> [SymbolAnswer.Function?]? {
    answers.last { $0.program === program.file && $0.places == places }?.functions
  }

  /// Keeps an answer in place of the oldest.
  mutating func keep(
    _ functions: [SymbolAnswer.Function?], around places: [UInt64], in program: ModuleProgram
  ) {
    answers.removeAll { $0.program == nil }
    if answers.count >= Self.capacity { answers.removeFirst() }
    answers.append(Answer(program: program.file, places: places, functions: functions))
  }
}
