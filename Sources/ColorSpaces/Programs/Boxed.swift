/// A large value behind a reference.
///
/// A structure that holds several large values is copied field by field, and the compiler writes code for each field wherever that may
/// happen. A boxed value is copied as one reference; changing it makes a new box, so that copies stay as they are.
@propertyWrapper
package struct Boxed<Value> {
  private var box: Box<Value>

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }
}

private final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension Boxed: Sendable where Value: Sendable {}
extension Box: Sendable where Value: Sendable {}
