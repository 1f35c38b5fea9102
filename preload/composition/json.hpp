/// A composition as JSON: its tree, and what requests take in it (docs/drop-ins.md).
#pragma once

#include "preload/composition/combinations.hpp"
#include "preload/composition/layers.hpp"
#include "preload/composition/node.hpp"
#include "preload/composition/requests.hpp"
#include "preload/composition/sources.hpp"
#include "preload/composition/walk.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <optional>

namespace strata::composition {

using nlohmann::ordered_json;

inline ordered_json json_of(const Parameter& parameter) {
  ordered_json json = {{"name", parameter.name}};
  if (!parameter.type.empty()) json["type"] = parameter.type;
  if (parameter.bytes) json["bytes"] = *parameter.bytes;
  if (parameter.count) json["count"] = *parameter.count;
  if (!parameter.sizes.empty()) json["sizes"] = parameter.sizes;
  return json;
}

inline ordered_json json_of(const std::optional<Added>& added) {
  if (!added) return nullptr;
  ordered_json json = {{"in_front", added->in_front}, {"least", added->least}, {"step", added->step}};
  if (!added->classes.empty()) json["classes"] = added->classes;
  if (const auto& chunk = added->chunk) {
    json["chunk"] = {{"bytes", chunk->bytes}, {"in_front", chunk->in_front}};
    if (chunk->own_from) json["chunk"]["own_from"] = *chunk->own_from;
  }
  return json;
}

inline const char* text_of(Takes takes) {
  switch (takes) {
    case Takes::requests:
      return "requests";
    case Takes::freed_blocks:
      return "freed blocks";
    case Takes::references:
      return "references";
  }
  return "";
}

inline ordered_json json_of(const Node& node) {
  ordered_json json = {{"layer", node.layer}};
  if (!node.finished.empty()) json["finished"] = node.finished;
  if (!node.refers_to.empty()) json["refers_to"] = node.refers_to;
  json["parameters"] = ordered_json::array();
  for (const Parameter& parameter : node.parameters) json["parameters"].push_back(json_of(parameter));
  if (!node.made_of.empty()) json["made_of"] = node.made_of;
  json["added"] = json_of(node.added);
  json["alignment"] = node.alignment;
  json["alignment_offset"] = node.alignment_offset;
  json["object_bytes"] = node.object_bytes;
  json["parts"] = ordered_json::array();
  for (const Part& part : node.parts) {
    ordered_json each = {{"name", part.name}, {"takes", text_of(part.takes)}, {"copies", part.copies}};
    each["up_to"] = part.up_to == any_size ? ordered_json(nullptr) : ordered_json(part.up_to);
    each["in_front"] = part.in_front;
    each["node"] = json_of(part.node);
    json["parts"].push_back(std::move(each));
  }
  return json;
}

inline ordered_json json_of(const Request& request) {
  // Beyond this, it depends on where the last chunk happened to end.
  const auto rounded = [](double bytes) {
    return bytes < 1000 ? std::round(bytes * 10) / 10 : std::round(bytes);
  };
  return {{"bytes", request.bytes},
          {"usable", request.usable},
          {"taken", request.taken ? ordered_json(rounded(*request.taken)) : ordered_json(nullptr)}};
}

template <class H>
ordered_json tree_of() {
  ordered_json requests = ordered_json::array();
  for (const Request& request : requests_of<H>()) requests.push_back(json_of(request));
  return {{"tree", json_of(node_of<H>())}, {"requests", std::move(requests)}};
}

}  // namespace strata::composition
