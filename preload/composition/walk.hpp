/// A composition as a tree, read from its type.
///
/// Every layer has one overload of `describe` (layers.hpp, sources.hpp). A finished heap derives from its
/// composition, so that its parents are not in its name: but deduction looks through derived classes, and
/// overload resolution ranks conversions to a base, so that the overload of the outermost layer wins.
/// Needs:      an overload for each layer; one that is missing is a compile error that says so.
/// Guarantees: what the tree says, the type says: no list of heaps, and no number that was written twice.
#pragma once

#include "preload/composition/node.hpp"

#include <strata/contract/heap.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace strata::composition {

/// The first argument of every `describe`: what lets an overload be found wherever it is declared.
struct Walk {};

/// What `describe` returns: a node, and which layer it was deduced for.
template <class L>
struct Described {
  using Layer = L;
  Node node;
};

/// The name of a class, without namespaces and template arguments.
template <class T>
std::string name_of() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::string_view mark = "T = ";
  std::string_view name = function.substr(function.find(mark) + mark.size());
  name = name.substr(0, name.find_first_of("<;]"));
  return std::string(name.substr(name.rfind(':') + 1));
}

template <class T>
concept HasDescription = requires(const T* heap) { describe(Walk{}, heap); };

/// The outermost layer of T that has a description.
template <HasDescription T>
using LayerOf = typename decltype(describe(Walk{}, static_cast<const T*>(nullptr)))::Layer;

template <class T, class Argument>
constexpr bool hides() {
  if constexpr (std::is_base_of_v<Argument, T> && HasDescription<Argument>) {
    return std::same_as<LayerOf<T>, LayerOf<Argument>>;
  }
  return false;
}

/// A layer without a description: a class that derives from one of its own template arguments and hides what that
/// is; a finished heap has layers of its own above. One case for each way in which our layers mix numbers among
/// types.
template <class T>
struct IsUndescribed : std::false_type {};
template <template <class...> class T, class... A>
struct IsUndescribed<T<A...>> : std::bool_constant<(hides<T<A...>, A>() || ...)> {};
template <template <auto, class...> class T, auto M, class... A>
struct IsUndescribed<T<M, A...>> : std::bool_constant<(hides<T<M, A...>, A>() || ...)> {};
template <template <auto, auto, class...> class T, auto M, auto N, class... A>
struct IsUndescribed<T<M, N, A...>> : std::bool_constant<(hides<T<M, N, A...>, A>() || ...)> {};
template <template <class, auto, class...> class T, class B, auto M, class... A>
struct IsUndescribed<T<B, M, A...>> : std::bool_constant<(hides<T<B, M, A...>, A>() || ...)> {};
template <template <class, class, auto, class...> class T, class B, class C, auto M, class... A>
struct IsUndescribed<T<B, C, M, A...>> : std::bool_constant<(hides<T<B, C, M, A...>, A>() || ...)> {};
template <template <class, class, auto, auto, class...> class T, class B, class C, auto M, auto N, class... A>
struct IsUndescribed<T<B, C, M, N, A...>> : std::bool_constant<(hides<T<B, C, M, N, A...>, A>() || ...)> {};

template <class T>
constexpr bool described() {
  if constexpr (HasDescription<T>) return std::same_as<LayerOf<T>, T> || !IsUndescribed<T>::value;
  return false;
}

template <class T>
Node node_of() {
  static_assert(described<T>(),
                "a layer has no description: add a describe() to preload/composition/layers.hpp, "
                "combinations.hpp or sources.hpp");
  if constexpr (described<T>()) {
    Node node = describe(Walk{}, static_cast<const T*>(nullptr)).node;
    node.layer = name_of<LayerOf<T>>();
    if constexpr (!std::same_as<LayerOf<T>, T>) node.finished = name_of<T>();
    node.alignment = T::alignment;
    node.alignment_offset = T::alignment_offset;
    node.object_bytes = sizeof(T);
    return node;
  } else {
    return {};
  }
}

}  // namespace strata::composition
