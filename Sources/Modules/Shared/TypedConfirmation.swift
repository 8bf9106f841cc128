internal import ForsettiModuleKit

/// A word that people type before something that is hard to take back. The module asks for it, not the page that shows
/// the form: an event can come from anywhere.
///
/// The field's ID names what is confirmed, so the word given for one thing never counts for another that has taken its
/// place on the screen meanwhile.
struct TypedConfirmation: Sendable, Equatable {
  /// What must be typed, in just these letters; white space around it does no harm.
  static let phrase = "confirm"

  /// The ID of the field.
  let fieldID: String

  /// - Parameter subject: names what is confirmed, of letters, digits and hyphens, such as `move-7`.
  init(of subject: String) { fieldID = "phrase-\(subject)" }

  /// The field of a form.
  var field: ViewField {
    ViewField(fieldID: fieldID, label: "Type “\(Self.phrase)” to go on", kind: .text, isRequired: true)
  }

  /// Whether what a form sent has the word, for this subject.
  func isGiven(in payload: [String: String]) -> Bool {
    payload[fieldID]?.trimmedScalars.hasSameScalars(as: Self.phrase) ?? false
  }

  /// What to say where it is not.
  static let advice = "Nothing was done: type “\(phrase)” into the field, in these letters, to go on."
}
