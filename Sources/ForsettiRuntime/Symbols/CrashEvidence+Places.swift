import ForsettiCore
import ForsettiIPC

extension CrashEvidence {
  /// The frames that lie in the program, and by which place of it their functions are found.
  ///
  /// Of a fault the first frame is the faulting instruction. Every other address, that of a violation too, is the one
  /// behind a call, which may be where the next function begins: the byte before it is in the function that is meant.
  var places: [(frame: Int, place: UInt64)] {
    backtrace.indices.compactMap { index in
      guard let offset = backtrace[index].offset else { return nil }
      return (index, index == 0 && fault != nil ? offset : offset &- 1)
    }
  }

  /// Notes the functions around its places, in their order.
  mutating func name(_ functions: [SymbolAnswer.Function?]) {
    for (place, function) in zip(places, functions) {
      if let function { backtrace[place.frame].lie(in: function) }
    }
  }
}

extension CrashFrame {
  /// Notes the function it lies in, as far as that can be: the worker's word is not believed.
  mutating func lie(in function: SymbolAnswer.Function) {
    guard let offset, function.start <= offset else { return }
    self.function = function.name
    functionOffset = offset - function.start
  }
}
