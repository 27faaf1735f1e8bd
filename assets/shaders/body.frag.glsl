in vec3 at;
in vec3 facing;
in vec3 in_light;
flat in vec4 tint;
#ifdef PIPS
in vec3 local;
#endif

uniform vec3 to_light;      // unit
uniform vec3 strength;      // ambient, sky, key
uniform vec4 eye;           // place of the camera (w = 1), or the direction toward it (w = 0)
uniform float outline;      // opacity of the dark line where a round surface turns away
uniform float pixel_ratio;
#ifdef SHADOWS
uniform sampler2DShadow shadow_map;
uniform float shadow_texel;
#endif

out vec4 color;

#ifdef SHADOWS
float lit(float slope) {
    if (any(lessThan(in_light, vec3(0.0))) || any(greaterThan(in_light, vec3(1.0)))) return 1.0;
    float depth = in_light.z - 0.0006 - 0.0012 * (1.0 - slope);
    vec2 step = vec2(0.9, 0.4) * shadow_texel;
    float sum = texture(shadow_map, vec3(in_light.xy + step, depth));
    sum += texture(shadow_map, vec3(in_light.xy - step, depth));
    sum += texture(shadow_map, vec3(in_light.xy + vec2(-step.y, step.x), depth));
    sum += texture(shadow_map, vec3(in_light.xy + vec2(step.y, -step.x), depth));
    return 0.25 * sum;
}
#endif

#ifdef PIPS
// 1 inside a spot. Six on +z, five on +y, four on +x; opposite sides sum to seven.
float spot(vec2 p, vec2 middle) {
    float d = length(p - middle);
    return 1.0 - smoothstep(0.19 - 0.7 * fwidth(d), 0.19 + 0.7 * fwidth(d), d);
}

float pips() {
    vec3 size = abs(local);
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    vec2 p = axis == 0 ? local.yz : axis == 1 ? local.zx : local.xy;
    float sign_ = axis == 0 ? local.x : axis == 1 ? local.y : local.z;
    int count = axis == 0 ? 4 : axis == 1 ? 5 : 6;
    if (sign_ < 0.0) count = 7 - count;
    float cover = 0.0;
    if ((count & 1) == 1) cover = spot(p, vec2(0.0));
    if (count > 1) cover = max(cover, max(spot(p, vec2(-0.5)), spot(p, vec2(0.5))));
    if (count > 3) cover = max(cover, max(spot(p, vec2(-0.5, 0.5)), spot(p, vec2(0.5, -0.5))));
    if (count == 6) cover = max(cover, max(spot(p, vec2(-0.5, 0.0)), spot(p, vec2(0.5, 0.0))));
    return cover;
}
#endif

#ifdef HATCH
// The hatch of a tier, in pixels: no tier is told by its colour alone.
float hatch(float kind) {
    vec2 p = gl_FragCoord.xy / pixel_ratio;
    if (kind < 0.5) return 0.0;
    if (kind < 1.5) return step(mod(p.x, 8.0), 2.4);
    if (kind < 2.5) return step(mod(p.y, 8.0), 2.4);
    float one = step(mod(p.x + p.y, 9.0), 3.0);
    if (kind < 3.5) return one;
    return max(one, step(mod(p.x - p.y, 9.0), 3.0));
}
#endif

void main() {
    vec3 n = normalize(facing);
    vec3 sight = normalize(eye.xyz - eye.w * at);
    float turned = dot(n, sight);
#ifdef TWO_SIDED
    if (!gl_FrontFacing) { n = -n; turned = -turned; }
#endif
    float slope = max(dot(n, to_light), 0.0);
    float key = strength.z * slope;
#ifdef SHADOWS
    if (slope > 0.0) key *= lit(slope);
#endif
    vec3 paint = tint.rgb;
#ifdef PIPS
    vec3 ink = dot(paint, vec3(0.3, 0.59, 0.11)) > 0.4 ? vec3(0.09) : vec3(0.95);
    paint = mix(paint, ink, pips());
#endif
#ifdef HATCH
    paint *= 1.0 - 0.38 * hatch(tint.a);
#endif
    vec3 shade = paint * (strength.x + strength.y * (0.5 + 0.5 * n.z) + key);
    float width = fwidth(turned) * pixel_ratio;
    shade *= 1.0 - outline * (1.0 - smoothstep(0.3 * width, 1.3 * width, turned));
    color = vec4(shade, 1.0);
}
